// Buttons whose place another button takes: what reaches the first one must not reach the second.

import assert from "node:assert/strict";
import {mock, test} from "node:test";
import {onSingleClick} from "../../tournaments/board/page/shared/clicks.js";

const click = detail => Object.assign(new Event("click"), {detail});

test("a double click counts once", () => {
  const act = mock.fn(), button = onSingleClick(new EventTarget(), act);
  button.dispatchEvent(click(1));
  button.dispatchEvent(click(2));
  assert.equal(act.mock.callCount(), 1);
});

test("a key that is held down presses once, and a click by the keyboard counts", () => {
  const act = mock.fn(), button = onSingleClick(new EventTarget(), act);
  // A browser clicks at every press of Enter, also at those of a key that is held down, unless the press is cancelled.
  const press = isHeld => {
    const event = Object.assign(new Event("keydown", {cancelable: true}), {key: "Enter", repeat: isHeld});
    if (button.dispatchEvent(event)) button.dispatchEvent(click(0));
  };
  press(false);
  press(true);
  press(true);
  assert.equal(act.mock.callCount(), 1);
});
