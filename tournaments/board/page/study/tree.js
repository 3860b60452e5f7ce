// A study: a start position and a tree of variations, with comments, marks and what an analysis said.

const MOST_REMOVED = 200;

let lastId = 0;

class Node {
  constructor(cell, parent) {
    this.id = ++lastId;
    this.cell = cell;
    this.parent = parent;
    this.children = [];      // the first one is the main continuation
    this.comment = "";
    this.labels = new Map(); // names of cells "x,y" to texts
    this.analysis = null;    // the last message of an analysis of the position after this move
    this.rows = null;        // the rows that win in it, and the fouls in it, see rules.js
    this.fouls = null;
    this.share = null;       // Black's chances after it by a review, where there is no analysis
  }
}

export class Tree {
  // `start` are stones that are there from the beginning, Black's first.
  constructor({width, height, rule, start = [], title = ""}) {
    Object.assign(this, {width, height, rule, start, title});
    this.root = new Node(null, null);
    this.current = this.root;
    this.history = {past: [], future: [], seen: null, key: ""};  // see history.js
    this.removed = [];  // the last nodes that were taken out, for their analyses, where an undo brings them back
    this.kept = null;  // {id, version, text, ...} of a study that the server keeps, see library/studies.js
  }

  // A study as the server sends it: with a tree, or with the moves of a game alone.
  static fromJson({tree: nodes, moves = [], comment, labels, ...board}) {
    const tree = new Tree(board), made = [];
    const write = (node, said) => {
      node.comment = said.comment ?? "";
      node.labels = new Map((said.labels ?? []).map(([cell, text]) => [String(cell), text]));
    };
    write(tree.root, {comment, labels});
    for (const said of nodes ?? []) {
      const parent = made[said.parent] ?? tree.root, node = new Node(said.cell, parent);
      write(node, said);
      parent.children.push(node);
      made.push(node);
    }
    if (!nodes) {
      tree.add(moves);
      tree.last();
    }
    return tree;
  }

  // The study as the server reads it; each node after its parent, and variations in their order.
  toJson() {
    const write = ({comment, labels}) => ({...comment && {comment},
      ...labels.size && {labels: [...labels].map(([key, text]) => [key.split(",").map(Number), text])}});
    const nodes = [], waiting = this.root.children.map(node => [node, -1]).reverse();
    while (waiting.length) {
      const [node, parent] = waiting.pop(), index = nodes.length;
      nodes.push({cell: node.cell, parent, ...write(node)});
      waiting.push(...node.children.map(child => [child, index]).reverse());
    }
    const {width, height, rule, title, start} = this;
    return {width, height, rule, title, start, ...write(this.root), tree: nodes};
  }

  // Makes the study what toJson() said once. Nodes that are there stay, with what an analysis or the coach knows of them.
  restore({tree: nodes, title = "", comment, labels}) {
    const before = new Map(), made = [];
    const take = (node, said) => {
      before.set(node, node.children);
      node.children = [];
      node.comment = said.comment ?? "";
      node.labels = new Map((said.labels ?? []).map(([cell, text]) => [String(cell), text]));
    };
    this.title = title;
    this.current = this.root;
    take(this.root, {comment, labels});
    for (const said of nodes) {
      const parent = made[said.parent] ?? this.root;
      const known = [...before.get(parent), ...this.removed].find(each => each.parent === parent && String(each.cell) === String(said.cell));
      const node = known ?? new Node(said.cell, parent);
      take(node, said);
      parent.children.push(node);
      made.push(node);
    }
    const gone = [...before].flatMap(([node, children]) => children.filter(child => !node.children.includes(child)));
    this.removed = [...this.removed.filter(node => !node.parent.children.includes(node)), ...gone].slice(-MOST_REMOVED);
  }

  // Goes along these cells as far as there are moves at them.
  follow(cells) {
    this.current = this.root;
    for (const cell of cells) {
      const next = this.current.children.find(node => String(node.cell) === String(cell));
      if (!next) break;
      this.current = next;
    }
  }

  // The nodes from the root, which is left out, to `node`.
  path(node = this.current) {
    const nodes = [];
    for (let at = node; at.parent; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  cells(node = this.current) {
    return [...this.start, ...this.path(node).map(each => each.cell)];
  }

  // The colour of the next stone after `node`.
  toMove(node = this.current) {
    return this.cells(node).length % 2;
  }

  isTaken(cell, node = this.current) {
    return this.cells(node).some(each => String(each) === String(cell));
  }

  // Goes to the move at `cell`, which becomes a new variation where it is none. False where a stone lies there.
  play(cell) {
    if (this.isTaken(cell)) return false;
    this.current = this.child(cell);
    return true;
  }

  child(cell) {
    const known = this.current.children.find(each => String(each.cell) === String(cell));
    if (known) return known;
    const node = new Node(cell, this.current);
    this.current.children.push(node);
    return node;
  }

  // Adds a line of play after the current position, and stays there.
  add(cells) {
    const here = this.current;
    for (const cell of cells) if (!this.play(cell)) break;
    this.current = here;
  }

  back() {
    this.current = this.current.parent ?? this.current;
  }

  forward() {
    this.current = this.current.children[0] ?? this.current;
  }

  first() {
    this.current = this.root;
  }

  last() {
    while (this.current.children.length) this.forward();
  }

  // To the next (1) or previous (-1) variation at this fork. False where there is none.
  turn(by) {
    const siblings = this.current.parent?.children ?? [], next = siblings[siblings.indexOf(this.current) + by];
    if (!next) return false;
    this.current = next;
    return true;
  }

  // To the next or previous position with more than one continuation.
  toFork(by) {
    do {
      if (by < 0) this.back();
      else this.forward();
    } while (this.current.children.length <= 1 && (by < 0 ? this.current.parent : this.current.children.length));
  }

  // Makes the variation that `node` belongs to the main one, at every fork that leads to it.
  promote(node = this.current) {
    for (const each of this.path(node)) {
      const siblings = each.parent.children;
      siblings.splice(siblings.indexOf(each), 1);
      siblings.unshift(each);
    }
  }

  // Deletes `node` with all that follows it.
  remove(node = this.current) {
    if (!node.parent) return;
    const isWithin = this.path().includes(node);
    this.removed = [...this.removed, node].slice(-MOST_REMOVED);
    node.parent.children.splice(node.parent.children.indexOf(node), 1);
    if (isWithin) this.current = node.parent;
  }

  // The line through the current position to its end.
  line() {
    const nodes = this.path();
    for (let at = this.current; at.children.length; at = at.children[0]) nodes.push(at.children[0]);
    return nodes;
  }

  position(node = this.current) {
    return {width: this.width, height: this.height, rule: this.rule, moves: this.cells(node)};
  }

  hasMore() {
    const walk = node => node.children.length > 1 || node.comment !== "" || node.labels.size > 0 || node.children.some(walk);
    return walk(this.root);
  }
}
