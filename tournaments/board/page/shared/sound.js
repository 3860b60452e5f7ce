// Sounds, made here and off until they are switched on: a stone, a call for attention, and an end.

import {preference} from "./preferences.js";

/**
 * Hertz and seconds of each tone, one after the other.
 * @type {Record<"stone" | "attention" | "end", [number, number][]>}
 */
const TONES = {stone: [[520, .05]], attention: [[660, .08], [880, .12]], end: [[523, .12], [659, .12], [784, .25]]};
const LOUDNESS = .2;

/** @type {{context: AudioContext | null}} */
const device = {context: null};

export const hasSounds = () => preference("sounds", false);

/**
 * Plays a sound of the table; a browser that does not allow sounds before a click stays silent.
 * @param {keyof typeof TONES} name
 */
export function playSound(name) {
  if (!hasSounds()) return;
  const context = device.context ??= new AudioContext();
  context.resume();
  let at = context.currentTime;
  for (const [frequency, seconds] of TONES[name]) {
    const tone = context.createOscillator(), loudness = context.createGain();
    tone.frequency.value = frequency;
    tone.connect(loudness).connect(context.destination);
    loudness.gain.setValueAtTime(LOUDNESS, at);
    loudness.gain.exponentialRampToValueAtTime(.001, at + seconds);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds;
  }
}
