import type { Slots } from '../../framework/cluster/image-holders.ts';
import { NODE_AND_PORTS, NODE_ONLY } from '../../framework/cluster/node-changes.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { ScorePlugin } from '../../framework/plugin.ts';
import type { Status } from '../../framework/status.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';
import { equalHolders, type ImageLooks, imageLooksOf, NO_IMAGES } from './image-looks.ts';
import { judgeNodes } from './judged-nodes.ts';
import { KnownVerdicts } from './known-verdicts.ts';
import type { Combinations } from './node-attributes.ts';
import { NodeJudge, type NodeJudgeModules, type VerdictsPod } from './node-judge.ts';
import { takeOverIds } from './taken-over-ids.ts';
import { type Answers, LEFT_OUT, NO_NODE_ID, type Verdict, VerdictTable } from './verdict-table.ts';

/** The key of a node that looks like no other. */
const NO_KEY = -1;
/** The most pairs of a verdict id and a look of images for which ids stand in an array. */
const MOST_PAIRS = 65_536;
/** With more nodes changed since verdicts were last used, other verdicts are made anew instead of from them. */
const MOST_CHANGED = 64;

export interface NodeVerdictsModules extends NodeJudgeModules {
  readonly table: ColumnTable;
  /** Called with every slot whose verdict id has changed, and the id before. */
  readonly onIdChanged: (slot: number, verdicts: NodeVerdicts, before: number) => void;
  /** Called when there is one more verdict id. */
  readonly onIdAdded: (verdicts: NodeVerdicts) => void;
}

/**
 * The results of all filter and score plugins outside the kernels, shared by all pods that are alike but for their
 * requests. Each plugin is called once per node, and later only for nodes that changed.
 * Nodes with the same verdict id are rejected for the same reason, or get the same raw scores.
 *
 *   verdict id of each slot   3 1 1 0 2 3        0: there is no node
 *   answers by verdict id     1: passes, raw scores 0 0   2: passes, 0 10   3: rejected by TaintToleration
 *
 * Cycles read columns that are made from the ids: a mask of the nodes that pass, and raw scores by plugin.
 */
export class NodeVerdicts {
  /** The verdict id of each slot. */
  readonly ids: Column<'u16'>;
  /** A number that changes with the verdict id of any node. */
  idsVersion = 0;
  /** A number that changes when all nodes are judged. */
  roundsOfAll = 0;
  /** Functions that are called with every slot whose verdict id has changed since all nodes were judged first. */
  readonly listeners = new Set<(slot: number) => void>();
  readonly #modules: NodeVerdictsModules;
  /** Whether pods that come and go on a node can change the verdict on it. */
  readonly readsPods: boolean;
  #judge: NodeJudge;
  readonly #answers = new VerdictTable();
  readonly #onAdded = (): void => this.#modules.onIdAdded(this);
  #mask: Column<'u8'> | null = null;
  readonly #raw = new Map<string, Column<'i32'>>();
  #cursor = -1;
  /** The number of nodes when images were last scored. */
  #imagesNodeCount = -1;
  /** The verdicts on pods that differ in images alone, which are held until all nodes are judged for the first time. */
  #like: NodeVerdicts | null;
  #isReleased = false;

  /** `like`: the verdicts on pods that differ in images alone. */
  constructor(modules: NodeVerdictsModules, verdictsPod: VerdictsPod, like: NodeVerdicts | null = null) {
    this.#modules = modules;
    this.#like = like;
    this.ids = modules.table.add('u16', 'verdict ids');
    this.#judge = this.#newJudge(verdictsPod);
    this.readsPods = this.#judge.readsPods;
  }

  #newJudge(verdictsPod: VerdictsPod): NodeJudge {
    return new NodeJudge(this.#modules, verdictsPod, this.#answers, this.#onAdded);
  }

  /** Gives the columns back; the verdicts must not be used afterwards. */
  release(): void {
    const { table } = this.#modules;
    this.#isReleased = true;
    // Others may still hold these verdicts, and must not hold a chain of all that came before.
    this.#like = null;
    table.remove(this.ids);
    if (this.#mask !== null) table.remove(this.#mask);
    for (const column of this.#raw.values()) table.remove(column);
  }

  /** Drops all verdicts and takes another state, for pods whose verdicts depend on the whole cluster. */
  renew(verdictsPod: VerdictsPod): void {
    this.#judge = this.#newJudge(verdictsPod);
    this.#cursor = -1;
    this.#answers.clear();
  }

  /** Judges again every node that has changed since the last call. */
  sync(): void {
    const { cluster, activeTrace } = this.#modules;
    const { changes } = cluster;
    activeTrace.trace?.start('verdicts');
    const changed = this.#cursor < 0 ? null : changes.since(this.#cursor, this.#judge.reasons);
    this.#judge.computeColumns(changed);
    if (changed === null) this.#judgeAll();
    else this.#judgeChanged(changed);
    if (this.#imagesNodeCount !== cluster.nodeCount) this.#scoreImages();
    this.#cursor = changes.end;
    activeTrace.trace?.end();
  }

  /** All verdict ids are below this number. */
  get idCount(): number {
    return this.#answers.size;
  }

  /** Whether nodes with the verdict id pass. */
  accepts(id: number): boolean {
    return this.#answers.accepts(id);
  }

  /** The raw score that every node with the verdict id gets from a plugin. */
  rawOfId(plugin: string, id: number): number {
    return this.#answers.raw(id)[this.#positionOf(plugin)] ?? 0;
  }

  /** The raw score of every verdict id from a plugin. */
  rawsOf(plugin: string): number[] {
    const position = this.#positionOf(plugin);
    const raws: number[] = [];
    for (let id = 0; id < this.idCount; id++) raws.push(this.#answers.raw(id)[position] ?? 0);
    return raws;
  }

  /** Whether a plugin's raw scores are 0 for every node. */
  isZero(plugin: string): boolean {
    return this.#answers.isZero(this.#positionOf(plugin));
  }

  /** Whether a plugin has failed or returned a score that columns do not hold, so that the attempt may fail. */
  get hasFailed(): boolean {
    return this.#answers.hasFailed;
  }

  /** Returns null if the node passes. */
  verdict(slot: number): Verdict | null {
    return this.#answers.verdict(this.ids.values[slot] ?? NO_NODE_ID);
  }

  /** A column with 1 for nodes that pass, as the filter kernel reads it. */
  get mask(): Column<'u8'> {
    if (this.#mask === null) {
      const mask = this.#modules.table.add('u8', 'mask of verdicts');
      this.#mask = mask;
      const accepted = this.#acceptedIds();
      const { values } = mask;
      const ids = this.ids.values;
      for (let slot = 0; slot < ids.length; slot++) values[slot] = accepted[ids[slot] as number] as number;
    }
    return this.#mask;
  }

  /** 1 for ids of nodes that pass. */
  #acceptedIds(): Uint8Array {
    return Uint8Array.from({ length: this.idCount }, (_, id) => (this.accepts(id) ? 1 : 0));
  }

  /** Returns a plugin's raw scores; undefined if they are 0 for every node. */
  raw(plugin: string): Column<'i32'> | undefined {
    let column = this.#raw.get(plugin);
    if (column === undefined && !this.isZero(plugin)) {
      const raw = this.#modules.table.add('i32', `${plugin} of verdicts`);
      column = raw;
      this.#raw.set(plugin, raw);
      this.ids.values.forEach((id, slot) => {
        raw.values[slot] = this.rawOfId(plugin, id);
      });
    }
    return column;
  }

  #positionOf(plugin: string): number {
    const { scores } = this.#judge;
    for (let i = 0; i < scores.length; i++) if (scores[i]?.plugin.name === plugin) return i;
    return -1;
  }

  #judgeAll(): void {
    const { cluster, attributes } = this.#modules;
    const { parts, verdictsPod } = this.#judge;
    const { nodeNames, excluded } = verdictsPod.preFilter;
    const like = this.#like;
    this.#like = null;
    this.roundsOfAll++;
    const isEasy = !this.#judge.readsPods || this.#judge.readsNoMoreThanPorts;
    if (nodeNames === null && this.#isUnread && isEasy) {
      if (like?.isModelFor(this.#judge)) takeOverIds(like, this.#judge, this.ids.values, cluster.slotCount);
      else judgeNodes(this.#judge, this.#modules, this.ids.values);
      this.idsVersion += cluster.slotCount;
      this.#imagesNodeCount = -1;
      return;
    }
    const looks = parts === null ? null : attributes.combinationsOf(parts);
    if (nodeNames !== null) this.#judgeNamed(nodeNames, excluded);
    else if (looks !== null) this.#judgeByLooks(looks);
    else for (let slot = 0; slot < cluster.slotCount; slot++) this.#judgeSlot(slot);
    // Nodes that were judged by their looks have no image scores yet.
    this.#imagesNodeCount = looks === null ? cluster.nodeCount : -1;
  }

  /**
   * Whether verdicts on pods that differ in images alone can be made from these, with little to be done before; brings
   * these up to date.
   */
  isModelFor({ scores }: NodeJudge): boolean {
    const { readsPods, reasons, verdictsPod, scores: own } = this.#judge;
    if (this.#isReleased || this.#cursor < 0 || readsPods || verdictsPod.preFilter.nodeNames !== null) return false;
    if (own.length !== scores.length || own.some(({ plugin }, i) => plugin !== scores[i]?.plugin)) return false;
    if (this.#modules.cluster.changes.since(this.#cursor, reasons, MOST_CHANGED) === null) return false;
    this.sync();
    return !this.hasFailed;
  }

  /** What nodes with the verdict id got as answers. */
  answers(id: number): Answers {
    return this.#answers.answers(id);
  }

  /** Judges nodes that look the same to every plugin once, without their images. */
  #judgeByLooks(looks: Combinations): void {
    const { cluster } = this.#modules;
    const known = new KnownVerdicts(this.#judge, cluster, looks);
    for (let slot = 0; slot < cluster.slotCount; slot++) this.#setId(slot, known.idOf(slot));
  }

  /** Whether nobody has read the verdicts yet, so that nobody is notified of changes. */
  get #isUnread(): boolean {
    return this.#cursor < 0 && this.#mask === null && this.#raw.size === 0;
  }

  /** Judges the nodes that a PreFilter plugin named; all others are left out. */
  #judgeNamed(names: ReadonlySet<string>, excluded: Status): void {
    const { cluster } = this.#modules;
    const leftOut = this.#answers.idOfRejection(excluded, LEFT_OUT, this.#onAdded);
    for (let slot = 0; slot < cluster.slotCount; slot++) {
      this.#setId(slot, cluster.nodeAt(slot) === undefined ? NO_NODE_ID : leftOut);
    }
    for (const name of names) {
      const node = cluster.node(name);
      if (node !== undefined) this.#judgeSlot(node.slot);
    }
  }

  #judgeChanged(changed: readonly number[]): void {
    const byNode =
      this.#judge.reasons === NODE_AND_PORTS ? this.#modules.cluster.changes.since(this.#cursor, NODE_ONLY) : null;
    // As many as have changed at all: ports are no reason then.
    const nodes = byNode === null || byNode.length === changed.length ? null : new Set(byNode);
    for (const slot of changed) {
      if (nodes?.has(slot) === false) this.#judgePorts(slot);
      else this.#judgeSlot(slot);
    }
  }

  /** Judges a node again of which only host ports have changed: if it passed before, nothing else rejects it. */
  #judgePorts(slot: number): void {
    const before = this.ids.values[slot] ?? NO_NODE_ID;
    const node = this.#modules.cluster.nodeAt(slot);
    if (node === undefined || !this.accepts(before)) this.#judgeSlot(slot);
    else this.#setId(slot, this.#judge.idWithPods(node, before));
  }

  #judgeSlot(slot: number): void {
    const node = this.#modules.cluster.nodeAt(slot);
    this.#setId(slot, node === undefined ? NO_NODE_ID : this.#judge.idOf(node));
  }

  #setId(slot: number, id: number): void {
    if (this.#mask !== null) this.#mask.values[slot] = this.accepts(id) ? 1 : 0;
    if (this.#raw.size > 0) for (const [plugin, { values }] of this.#raw) values[slot] = this.rawOfId(plugin, id);
    const before = this.ids.values[slot] ?? NO_NODE_ID;
    if (before === id) return;
    this.ids.values[slot] = id;
    this.idsVersion++;
    // Before the first synchronisation nothing depends on these verdicts, so nobody is notified.
    if (this.#cursor < 0) return;
    this.#modules.onIdChanged(slot, this, before);
    for (const notify of this.listeners) notify(slot);
  }

  /** One node more or less changes the image scores of all. */
  #scoreImages(): void {
    const { cluster, activeTrace } = this.#modules;
    this.#imagesNodeCount = cluster.nodeCount;
    for (const [position, { plugin }] of this.#judge.scores.entries()) {
      if (plugin.scoreReads !== 'images') continue;
      // Without any image, now and before, all scores stay 0.
      if (cluster.hasNoImages && this.isZero(plugin.name)) continue;
      activeTrace.trace?.startPlugin('score', plugin.name);
      this.#scoreImagesBy(plugin, position);
      activeTrace.trace?.end();
    }
  }

  /** Calls the plugin once for all nodes with one verdict id that look the same to it. */
  #scoreImagesBy(plugin: ScorePlugin, position: number): void {
    const { cluster } = this.#modules;
    const images = plugin.scoredImages?.(this.#judge.verdictsPod.pod.pod) ?? null;
    const holders = images !== null && this.#isUnread ? equalHolders(cluster, images) : null;
    if (holders !== null) {
      this.#scoreHolders(plugin, position, holders);
      return;
    }
    const looks = images === null ? null : imageLooksOf(cluster, images);
    if (looks !== null && looks.count * this.idCount <= MOST_PAIRS) {
      this.#scoreLooks(plugin, position, looks);
      return;
    }
    // By look and verdict id before.
    const idsAfter = new Map<number, number>();
    const scores = new Map<number, number>();
    if (looks !== null) scores.set(NO_IMAGES, 0);
    for (let slot = 0; slot < cluster.slotCount; slot++) {
      const before = this.ids.values[slot] ?? NO_NODE_ID;
      if (!this.accepts(before)) continue;
      const look = looks === null ? slot : (looks.bySlot[slot] ?? NO_IMAGES);
      const key = looks === null ? NO_KEY : before * looks.count + look;
      let after = idsAfter.get(key);
      if (after === undefined) {
        const score = scores.get(look) ?? this.#judge.score(plugin, cluster.nodeAt(slot) as NodeInfo, null);
        scores.set(look, score);
        after = this.#answers.idOfScores(this.#answers.raw(before).with(position, score), this.#onAdded);
        if (key !== NO_KEY) idsAfter.set(key, after);
      }
      this.#setId(slot, after);
    }
  }

  /** Scores nodes that hold equal images, as no other does, before anybody has read the verdicts. */
  #scoreHolders(plugin: ScorePlugin, position: number, slots: Slots): void {
    const { values } = this.ids;
    // By verdict id before; NO_NODE_ID has to be found out.
    const idsAfter = new Uint16Array(this.idCount);
    let score: number | undefined;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as number;
      const before = values[slot] as number;
      let after = idsAfter[before] as number;
      if (after === NO_NODE_ID) {
        after = before;
        if (this.accepts(before)) {
          score ??= this.#judge.score(plugin, this.#modules.cluster.nodeAt(slot) as NodeInfo, null);
          after = this.#answers.idOfScores(this.#answers.raw(before).with(position, score), this.#onAdded);
        }
        idsAfter[before] = after;
      }
      values[slot] = after;
    }
    this.idsVersion += slots.length;
  }

  /** Scores nodes by their looks and the verdict ids that they have. */
  #scoreLooks(plugin: ScorePlugin, position: number, { count, bySlot }: ImageLooks): void {
    const { cluster } = this.#modules;
    const { slotCount } = cluster;
    const { values } = this.ids;
    // By verdict id before and look; NO_NODE_ID has to be found out.
    const idsAfter = new Uint16Array(this.idCount * count);
    const accepted = this.#acceptedIds();
    const scores = new Array<number | undefined>(count);
    scores[NO_IMAGES] = 0;
    for (let slot = 0; slot < slotCount; slot++) {
      const before = values[slot] ?? NO_NODE_ID;
      if (accepted[before] === 0) continue;
      const look = bySlot[slot] ?? NO_IMAGES;
      const pair = before * count + look;
      let after = idsAfter[pair] ?? NO_NODE_ID;
      if (after === NO_NODE_ID) {
        const score = scores[look] ?? this.#judge.score(plugin, cluster.nodeAt(slot) as NodeInfo, null);
        scores[look] = score;
        after = this.#answers.idOfScores(this.#answers.raw(before).with(position, score), this.#onAdded);
        idsAfter[pair] = after;
      }
      if (after !== before) this.#setId(slot, after);
    }
  }
}
