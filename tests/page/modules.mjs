// Lets node load the page's modules as a browser does: the server lays the page and what it shares with the report into
// one folder. `node --import` runs this file, which then runs once more where node resolves the names of modules.

import {existsSync} from "node:fs";
import {register} from "node:module";
import {isMainThread} from "node:worker_threads";

const PAGE = new URL("../../tournaments/board/page/", import.meta.url).href;
const REPORT = new URL("../../tournaments/report/", import.meta.url).href;

if (isMainThread) register(import.meta.url);

export function resolve(specifier, context, next) {
  if (!specifier.startsWith(".") || !context.parentURL?.startsWith(PAGE)) return next(specifier, context);
  const {href} = new URL(specifier, context.parentURL);
  return next(existsSync(new URL(href)) ? href : href.replace(PAGE, REPORT), context);
}

export function load(url, context, next) {
  return next(url, url.startsWith(PAGE) || url.startsWith(REPORT) ? {...context, format: "module"} : context);
}
