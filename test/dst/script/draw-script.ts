import type { KubernetesObject } from '../../../src/api/meta.ts';
import { keyedPrng } from '../../../src/lib/keyed-prng.ts';
import { Dice } from './dice.ts';
import { drawBrokenDevices, drawClaims, drawGangs } from './draw-claims.ts';
import { drawFault } from './draw-faults.ts';
import { drawJob } from './draw-jobs.ts';
import { DEDICATED, drawNode, drawTemplate, type PodTraits, PRIORITY_CLASSES } from './draw-objects.ts';
import { drawWorkload } from './draw-workloads.ts';
import type { Act, Script, ScriptEvent } from './script.ts';

/** The time in which users act and faults begin. */
const TROUBLE_MILLIS = 240_000;

/** The time of the first act: all nodes are there before. */
const FIRST_ACT_MILLIS = 500;

/** Draws a cluster, what is asked of it, and the faults that happen to it. */
export function drawScript(seed: number): Script {
  const dice = new Dice(keyedPrng(seed, 'script'));
  return new ScriptDraw(dice, seed).draw();
}

class ScriptDraw {
  readonly #dice: Dice;
  readonly #seed: number;
  readonly #traits: PodTraits;
  #hasGroups = false;
  readonly #events: ScriptEvent[] = [];
  readonly #nodes: { readonly name: string; readonly act: Act }[] = [];

  constructor(dice: Dice, seed: number) {
    this.#dice = dice;
    this.#seed = seed;
    const allHaveTerms = new Dice(keyedPrng(seed, 'anti-affinity')).oneIn(3);
    this.#traits = { hasErrands: dice.oneIn(2), allHaveTerms };
  }

  draw(): Script {
    const dice = this.#dice;
    for (const [name, value] of Object.entries(PRIORITY_CLASSES)) {
      this.#at(0, { do: 'submit', resource: 'priorityclasses', object: priorityClass(name, value) });
    }
    for (let i = dice.between(2, 5); i > 0; i--) this.#addNode();
    for (let i = dice.between(1, 9); i > 0; i--) this.#addJob(i);
    for (let i = dice.between(0, 12); i > 0; i--) this.#addPod(i);
    for (let i = dice.between(0, 4); i > 0; i--) this.#changeNode();
    // Some worlds are without faults: what goes wrong there has no other cause.
    for (let i = dice.oneIn(6) ? 0 : dice.between(1, 14); i > 0; i--) {
      const names = this.#nodes.map(({ name }) => name);
      this.#at(this.#anyTime(), drawFault(dice, names));
    }
    if (dice.oneIn(5)) this.#addBudget();
    this.#addWorkloads();
    this.#addClaimsAndGangs();
    const events = this.#events.toSorted((a, b) => a.atMillis - b.atMillis);
    return { seed: this.#seed, events, hasErrands: this.#traits.hasErrands, hasGroups: this.#hasGroups };
  }

  #at(atMillis: number, act: Act): void {
    this.#events.push({ atMillis, act });
  }

  #anyTime(): number {
    return this.#dice.between(FIRST_ACT_MILLIS, TROUBLE_MILLIS);
  }

  #addNode(): void {
    const name = `node-${this.#nodes.length + 1}`;
    const act: Act = { do: 'submit', ...drawNode(this.#dice, name) };
    this.#nodes.push({ name, act });
    this.#at(0, act);
  }

  #addJob(number: number): void {
    const startMillis = this.#dice.oneIn(3) ? FIRST_ACT_MILLIS : this.#anyTime();
    for (const { afterMillis, act } of drawJob(this.#dice, `job-${number}`, this.#traits)) {
      this.#at(startMillis + afterMillis, act);
    }
  }

  /** Adds a pod that comes to its end, or one that runs until somebody ends it. */
  #addPod(number: number): void {
    const dice = this.#dice;
    const name = `pod-${number}`;
    const restartPolicy = dice.pick(['Always', 'OnFailure', 'Never'] as const);
    const behaviour = {
      'run-duration.main': restartPolicy === 'Always' ? 'forever' : `uniform(1s, ${dice.between(2, 90)}s)`,
      ...(dice.oneIn(4) && restartPolicy !== 'Always' && { 'exit-codes.main': '1,0' }),
    };
    const { metadata, spec } = drawTemplate(dice, { restartPolicy, behaviour, ...this.#traits });
    const object = { metadata: { ...metadata, name, namespace: 'default' }, spec };
    const startMillis = this.#anyTime();
    this.#at(startMillis, { do: 'submit', resource: 'pods', object });
    if (!dice.oneIn(3)) return;
    const grace = dice.oneIn(2) ? { gracePeriodSeconds: dice.pick([0, 1, 20]) } : {};
    const deletion: Act = { do: 'delete', resource: 'pods', name, ...grace };
    const delayMillis = dice.oneIn(2) ? dice.between(0, 300) : dice.between(0, 120_000);
    this.#at(startMillis + delayMillis, deletion);
    // Another pod takes its name.
    if (dice.oneIn(2)) this.#at(startMillis + delayMillis + 1, { do: 'submit', resource: 'pods', object });
  }

  /** A node goes and comes back, or does not take pods for a while. */
  #changeNode(): void {
    const dice = this.#dice;
    const { name, act } = dice.pick(this.#nodes);
    const [beginMillis, endMillis] = [this.#anyTime(), this.#anyTime()].sort((a, b) => a - b) as [number, number];
    const kind = dice.between(0, 3);
    if (kind === 0) {
      this.#at(beginMillis, { do: 'delete', resource: 'nodes', name });
      this.#at(endMillis, act);
    } else if (kind === 1) {
      const cordon = (unschedulable: boolean): Act => ({
        ...{ do: 'patch', resource: 'nodes', name },
        body: { spec: { unschedulable } },
      });
      this.#at(beginMillis, cordon(true));
      this.#at(endMillis, cordon(false));
    } else {
      const effect = dice.pick(['NoSchedule', 'NoExecute']);
      const taint = kind === 2 ? DEDICATED : { key: 'trouble', value: '', effect };
      this.#at(beginMillis, { do: 'taint', name, taint });
      this.#at(endMillis, { do: 'untaint', name, taint });
    }
  }

  /** Workloads have dice of their own, so that the rest of a script does not depend on them. */
  #addWorkloads(): void {
    const dice = new Dice(keyedPrng(this.#seed, 'workloads'));
    for (let i = dice.between(0, 3); i > 0; i--) {
      const startMillis = dice.oneIn(2) ? FIRST_ACT_MILLIS : dice.between(FIRST_ACT_MILLIS, TROUBLE_MILLIS / 2);
      for (const { afterMillis, act } of drawWorkload(dice, `work-${i}`, this.#traits)) {
        this.#at(startMillis + afterMillis, act);
      }
    }
  }

  /** Claims and gangs, which half of the worlds have, have dice of their own as well. */
  #addClaimsAndGangs(): void {
    const dice = new Dice(keyedPrng(this.#seed, 'claims and gangs'));
    const hasClaims = dice.oneIn(4);
    this.#hasGroups = dice.oneIn(3);
    const anyTime = (): number => dice.between(FIRST_ACT_MILLIS, TROUBLE_MILLIS);
    const names = this.#nodes.map(({ name }) => name);
    const claims = hasClaims ? drawClaims(dice, names, anyTime, this.#traits) : [];
    this.#events.push(...claims);
    if (this.#hasGroups) this.#events.push(...drawGangs(dice, anyTime, { ...this.#traits, hasClaims }));
    const breaks = new Dice(keyedPrng(this.#seed, 'broken devices'));
    const timeOfBreak = (): number => breaks.between(FIRST_ACT_MILLIS, TROUBLE_MILLIS);
    this.#events.push(...drawBrokenDevices(breaks, claims, timeOfBreak));
  }

  #addBudget(): void {
    const object = {
      metadata: { name: 'budget', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
    } as KubernetesObject;
    this.#at(FIRST_ACT_MILLIS, { do: 'submit', resource: 'poddisruptionbudgets', object });
  }
}

function priorityClass(name: string, value: number): KubernetesObject {
  return { metadata: { name }, value } as KubernetesObject;
}
