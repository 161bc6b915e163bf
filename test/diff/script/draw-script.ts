import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { keyedPrng } from '../../../src/lib/keyed-prng.ts';
import { Dice } from '../../dst/script/dice.ts';
import type { Answer, ScriptCase, ScriptEvent } from '../../parity/script/script-case.ts';
import { ClaimStory } from './claim-story.ts';
import { changeNode, drawNode } from './draw-nodes.ts';
import { drawNamespace, drawObject, drawRemoval } from './draw-objects.ts';
import { drawTemplate, podOf, type Template } from './draw-pods.ts';
import { drawPodLabels } from './draw-selectors.ts';
import { drawStorage } from './draw-storage.ts';
import { plain, type Scale, Town } from './town.ts';

/** What nobody has been asked yet. */
const UNASKED: Answer = { skipped: true };

/** The script of a seed; what its attempts come to is for the reference engine to say. */
export function drawScript(seed: number): ScriptCase {
  const dice = new Dice(keyedPrng(seed, 'diff'));
  const [scale, percentageOfNodesToScore] = drawScale(dice);
  const script = { kind: 'script', name: `diff-${seed}`, seed, percentageOfNodesToScore } as const;
  // Devices have dice of their own, so that scripts without them are what they were.
  const devices = new Dice(keyedPrng(seed, 'devices'));
  return { ...script, postFilter: dice.oneIn(4), events: new Story(dice, scale, devices).draw() };
}

/** Most clusters are small: what goes wrong there is seen soonest. */
function drawScale(dice: Dice): [Scale, number] {
  const size = dice.between(0, 30);
  if (size === 0)
    return [{ nodes: [70, 130], racks: 110, rounds: [3, 7], pods: [0, 80], run: [1, 25], templates: [2, 8] }, 100];
  if (size === 1)
    return [
      { nodes: [105, 220], racks: 8, rounds: [3, 7], pods: [0, 60], run: [1, 15], templates: [1, 5] },
      dice.pick([0, 0, 30, 5]),
    ];
  if (size === 2) {
    return [
      { nodes: [20, 80], racks: 8, rounds: [8, 20], pods: [0, 20], run: [20, 60], templates: [8, 24] },
      dice.pick([100, 0]),
    ];
  }
  const most = dice.pick([4, 8, 12, 20, 40]);
  return [
    { nodes: [1, most], racks: 3, rounds: [4, 14], pods: [0, most], run: [1, 10], templates: [1, 5] },
    dice.pick([0, 30, 100]),
  ];
}

/** One script in so many has devices and claims. */
const CLAIMS_IN = 4;

interface KnownPod {
  readonly name: string;
  readonly template: Template;
}

/** The events of one script, in their order. */
class Story {
  readonly #dice: Dice;
  readonly #scale: Scale;
  readonly #town: Town;
  readonly #events: ScriptEvent[] = [];
  readonly #templates: Template[];
  readonly #nodes = new Map<string, Node>();
  readonly #pods: KnownPod[] = [];
  /** Absent: nobody asks for devices by claims. */
  readonly #claims: ClaimStory | undefined;

  constructor(dice: Dice, scale: Scale, devices: Dice) {
    this.#dice = dice;
    this.#scale = scale;
    this.#town = new Town(dice, scale);
    this.#templates = dice.list(...scale.templates, () => drawTemplate(dice, this.#town));
    if (devices.oneIn(CLAIMS_IN)) this.#claims = new ClaimStory(devices, this.#town);
  }

  draw(): ScriptEvent[] {
    const dice = this.#dice;
    const town = this.#town;
    for (const name of town.namespaces) if (!dice.oneIn(6)) this.#events.push(drawNamespace(dice, name));
    if (town.hasStorage) this.#events.push(...drawStorage(dice, town));
    for (let count = dice.between(0, 4); count > 0; count--) this.#events.push(drawObject(dice, town));
    if (this.#claims !== undefined) this.#events.push(...this.#claims.begin());
    for (const name of town.nodeNames) if (!dice.oneIn(8)) this.#addNode(name);
    for (let count = dice.between(...this.#scale.pods); count > 0; count--) this.#addPod();
    for (let round = dice.between(...this.#scale.rounds); round > 0; round--) {
      for (let count = dice.between(0, town.mostChanges); count > 0; count--) this.#change();
      if (this.#claims !== undefined) this.#events.push(...this.#claims.changes());
      this.#attempt();
    }
    if (this.#claims !== undefined) this.#events.push(...this.#claims.end());
    return this.#events;
  }

  /** Pods of a few templates or of all, one right after the other. */
  #attempt(): void {
    const dice = this.#dice;
    const { hasNominations } = this.#town;
    if (dice.oneIn(4)) this.#templates[dice.between(0, this.#templates.length - 1)] = drawTemplate(dice, this.#town);
    const templates = dice.oneIn(2) ? this.#templates : dice.some(this.#templates, 1, 3);
    const run: ScriptEvent[] = [];
    for (let count = dice.between(...this.#scale.run); count > 0; count--) {
      const again = dice.maybe(12, () => this.#known());
      const { name, template } = again ?? this.#named(dice.pick(templates));
      const nominatedNodeName = hasNominations ? dice.maybe(12, () => this.#nodeName()) : undefined;
      const status = nominatedNodeName === undefined ? {} : { nominatedNodeName };
      const pod = podOf(template, name, status);
      run.push({ t: 'schedule', o: this.#claims?.claiming(pod) ?? pod, expect: UNASKED });
    }
    // What the pods claim is there before the first of them, so that they are attempted one right after the other.
    this.#events.push(...(this.#claims?.takeNew() ?? []), ...run);
  }

  #change(): void {
    const dice = this.#dice;
    const what = dice.between(0, 19);
    if (what < 5) this.#updateNode();
    else if (what < 7) this.#addNode(dice.pick(this.#town.nodeNames));
    else if (what < 8) this.#removeNode();
    else if (what < 9) this.#replaceNode();
    else if (what < 11) this.#addPod();
    else if (what < 13) this.#updatePod();
    else if (what < 15) this.#removePod();
    else if (what < 16 && this.#town.hasNominations) this.#nominate();
    else if (what < 18) this.#events.push(drawObject(dice, this.#town));
    else this.#events.push(drawRemoval(dice, this.#town));
  }

  #nodeName(): string {
    return this.#dice.oneIn(15) ? 'gone' : this.#dice.pick(this.#town.nodeNames);
  }

  #known(): KnownPod | undefined {
    return this.#pods.length === 0 ? undefined : this.#dice.pick(this.#pods);
  }

  #named(template: Template): KnownPod {
    const pod = { name: `p${this.#pods.length}`, template };
    this.#pods.push(pod);
    return pod;
  }

  #addNode(name: string): void {
    const node = drawNode(this.#dice, this.#town, name);
    this.#events.push({ t: 'node', o: node });
    if (!this.#nodes.has(name)) this.#nodes.set(name, node);
  }

  #updateNode(): void {
    const name = this.#nodeName();
    const known = this.#nodes.get(name);
    const node = changeNode(this.#dice, this.#town, known ?? drawNode(this.#dice, this.#town, name));
    this.#events.push({ t: 'nodeUpdate', o: node });
    if (known !== undefined) this.#nodes.set(name, node);
  }

  #removeNode(): void {
    const name = this.#nodeName();
    this.#events.push({ t: 'nodeRemove', n: name });
    this.#nodes.delete(name);
  }

  /** Nodes that go and come again before anybody looks, as they were or others, in another order perhaps. */
  #replaceNode(): void {
    const dice = this.#dice;
    const names = dice.some([...this.#nodes.keys()], 1, 3);
    const gone = names.map((name) => this.#nodes.get(name) as Node);
    for (const n of names) this.#events.push({ t: 'nodeRemove', n });
    const back = dice.oneIn(2) ? gone : gone.toReversed();
    for (const node of back) {
      const name = node.metadata?.name ?? '';
      const now = dice.oneIn(2) ? node : changeNode(dice, this.#town, node);
      this.#events.push({ t: 'node', o: now });
      this.#nodes.set(name, now);
    }
  }

  #addPod(): void {
    const dice = this.#dice;
    const again = dice.maybe(10, () => this.#known());
    const { name, template } = again ?? this.#named(dice.pick(this.#templates));
    this.#events.push({ t: 'pod', o: this.#onNode(template, name) });
  }

  #onNode(template: Template, name: string): Pod {
    const dice = this.#dice;
    const { spec } = template;
    const phase = dice.oneIn(15) ? 'Succeeded' : 'Running';
    return podOf({ ...template, spec: { ...spec, nodeName: this.#nodeName() } }, name, {
      phase,
      startTime: startTimeOf(name),
    });
  }

  /** Labels may change, requests be resized; the pod may be on its way out, or have finished. */
  #updatePod(): void {
    const known = this.#known();
    if (known === undefined) return;
    const dice = this.#dice;
    const { name, template } = known;
    const labels = dice.oneIn(2) ? drawPodLabels(dice, this.#town) : template.labels;
    const { containers } = dice.oneIn(4) ? drawTemplate(dice, this.#town).spec : template.spec;
    const pod = this.#onNode({ ...template, labels, spec: { ...template.spec, containers } }, name);
    const deletionTimestamp = dice.maybe(4, () => '2026-02-01T00:00:00Z');
    this.#events.push({ t: 'podUpdate', o: { ...pod, metadata: plain({ ...pod.metadata, deletionTimestamp }) } });
  }

  #removePod(): void {
    const known = this.#known();
    if (known === undefined) return;
    this.#events.push({ t: 'podRemove', ns: known.template.namespace, n: known.name });
  }

  #nominate(): void {
    const dice = this.#dice;
    const { name, template } = dice.maybe(2, () => this.#known()) ?? this.#named(dice.pick(this.#templates));
    const status = { phase: 'Pending', nominatedNodeName: this.#nodeName() };
    this.#events.push({ t: 'nominate', o: podOf(template, name, status) });
  }
}

/** Every pod has started at its own time, so that preemption never has to choose between equals. */
function startTimeOf(name: string): string {
  return new Date(Date.UTC(2026, 0, 1) + Number(name.slice(1)) * 1000).toISOString().replace('.000', '');
}
