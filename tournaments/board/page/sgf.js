// Studies as SGF, with their variations, comments and marks. Cells are two letters, from the top left.

import {RULES} from "./notation.js";
import {Tree} from "./tree.js";

const SHAPES = {TR: "△", SQ: "□", CR: "○", MA: "×"};
const letters = ([x, y]) => String.fromCharCode(97 + x, 97 + y);
const escape = text => text.replace(/([\\\]])/g, "\\$1");

function formatNode(tree, node) {
  const parts = node.cell ? [`${"BW"[(tree.cells(node).length - 1) % 2]}[${letters(node.cell)}]`] : [];
  if (node.comment) parts.push(`C[${escape(node.comment)}]`);
  for (const [key, text] of node.labels) {
    const cell = letters(key.split(",").map(Number)), shape = Object.keys(SHAPES).find(name => SHAPES[name] === text);
    parts.push(shape ? `${shape}[${cell}]` : `LB[${cell}:${escape(text)}]`);
  }
  return parts.join("");
}

// What follows a node; a fork opens a bracket for each of its variations. No deeper than the study has forks.
function formatRest(tree, node) {
  let text = "";
  let at = node;
  while (at.children.length === 1) {
    at = at.children[0];
    text += `\n;${formatNode(tree, at)}`;
  }
  return text + at.children.map(child => `\n(;${formatNode(tree, child)}${formatRest(tree, child)})`).join("");
}

export function formatSgf(tree) {
  const {width, height, rule, start} = tree;
  const stones = colour => start.filter((_, index) => index % 2 === colour).map(cell => `[${letters(cell)}]`).join("");
  const setup = start.length ? `AB${stones(0)}${start.length > 1 ? `AW${stones(1)}` : ""}PL[${"BW"[start.length % 2]}]` : "";
  const size = width === height ? width : `${width}:${height}`;
  const title = tree.title ? `GN[${escape(tree.title)}]` : "";
  return `(;GM[4]FF[4]CA[UTF-8]AP[Tengen]SZ[${size}]RU[${RULES[rule]}]${title}${setup}${formatNode(tree, tree.root)}` +
    `${formatRest(tree, tree.root)})\n`;
}

// The brackets, nodes and properties of SGF. Throws an Error for what is none.
function readTrees(text) {
  let at = 0;
  const space = () => { while (/\s/.test(text[at] ?? "")) at++; };
  const fail = () => { throw new Error(`SGF: line ${text.slice(0, at).split("\n").length}`); };
  const readNode = () => {
    const found = {};
    for (space(); /[A-Za-z]/.test(text[at] ?? ""); space()) {
      let name = "";
      while (/[A-Za-z]/.test(text[at] ?? "")) name += text[at++];
      name = name.replace(/[a-z]/g, "");
      for (space(); text[at] === "["; space()) {
        let value = "";
        for (at++; text[at] !== "]"; at++) {
          if (at >= text.length) fail();
          if (text[at] === "\\") at++;
          value += text[at];
        }
        at++;
        (found[name] ??= []).push(value);
      }
    }
    return found;
  };
  const trees = [], open = [];  // a stack, so that no depth of brackets matters
  for (space(); at < text.length; space()) {
    const sign = text[at++];
    if (sign === "(") open.push({nodes: [], children: []});
    else if (!open.length) fail();
    else if (sign === ";") open.at(-1).nodes.push(readNode());
    else if (sign === ")") {
      const done = open.pop();
      (open.length ? open.at(-1).children : trees).push(done);
    } else fail();
  }
  if (open.length) fail();
  return trees;
}

function readLabels(node, found, cellOf) {
  for (const [name, shape] of Object.entries(SHAPES)) {
    for (const value of found[name] ?? []) node.labels.set(String(cellOf(value)), shape);
  }
  for (const value of found.LB ?? []) {
    const [cell, ...text] = value.split(":");
    node.labels.set(String(cellOf(cell)), text.join(":").slice(0, 3));
  }
  node.comment = (found.C ?? []).join("\n");
}

function makeStudy(tree) {
  const head = tree.nodes[0] ?? {}, [across, down] = (head.SZ?.[0] ?? "15").split(":").map(Number);
  const width = across, height = down ?? across;
  if (![width, height].every(side => Number.isInteger(side) && side >= 5 && side <= 22)) throw new Error("SGF: SZ");
  const cellOf = value => {
    const cell = [value.charCodeAt(0) - 97, value.charCodeAt(1) - 97];
    if (!(cell[0] >= 0 && cell[0] < width && cell[1] >= 0 && cell[1] < height)) throw new Error(`SGF: ${value}`);
    return cell;
  };
  const named = (head.RU?.[0] ?? "").toLowerCase().replace(/[ _]/g, "-");
  const rule = Number(Object.keys(RULES).find(number => RULES[number] === named) ?? 0);
  const black = (head.AB ?? []).map(cellOf), white = (head.AW ?? []).map(cellOf);
  if (black.length - white.length < 0 || black.length - white.length > 1) throw new Error("SGF: AB, AW");
  const start = black.flatMap((cell, index) => index < white.length ? [cell, white[index]] : [cell]);
  const names = [head.PB?.[0], head.PW?.[0]].filter(Boolean).join(" – ");
  const study = new Tree({width, height, rule, start, title: head.GN?.[0] ?? names});
  readLabels(study.root, head, cellOf);
  const waiting = [{part: {nodes: tree.nodes.slice(1), children: tree.children}, parent: study.root}];
  while (waiting.length) {
    const {part, parent} = waiting.pop();
    study.current = parent;
    for (const found of part.nodes) {
      const move = found.B?.[0] ?? found.W?.[0];
      if (move) {
        const colour = found.B ? 0 : 1;
        if (colour !== study.toMove() || !study.play(cellOf(move))) throw new Error(`SGF: ${"BW"[colour]}[${move}]`);
      }
      readLabels(study.current, found, cellOf);
    }
    const here = study.current;
    waiting.push(...part.children.map(child => ({part: child, parent: here})).reverse());
  }
  study.current = study.root;
  return study;
}

// The studies of an SGF text. Throws an Error that says where it fails.
export const parseSgf = text => readTrees(text).map(makeStudy);
