import { CodedError } from '../../src/lib/errors.ts';
import { isApiError } from '../../src/store/objects/api-error.ts';
import { cachesOf, checkCaches, isCaughtUp } from './invariants/caches.ts';
import { CONTRADICTION } from './invariants/contradicted-jobs.ts';
import { DevicesAndGangs } from './invariants/devices-and-gangs.ts';
import { JobExpectations } from './invariants/expectations.ts';
import { ForgottenPods } from './invariants/forgotten-pods.ts';
import { JobAccounting } from './invariants/job-accounting.ts';
import { checkOwnPods } from './invariants/own-pods.ts';
import { PlacementInvariants } from './invariants/placement.ts';
import { SchedulerPlaces } from './invariants/scheduler-places.ts';
import { checkRest } from './liveness.ts';
import type { Script } from './script/script.ts';
import { Violation } from './violation.ts';
import { START_MILLIS, World } from './world.ts';

/** How a run ended. */
export interface RunResult {
  /** The hash of the event log. */
  readonly hash: string;
  readonly steps: number;
  /** The broken invariant; undefined when everything held. */
  readonly violation: Violation | undefined;
  /** The time of the violation, since the cluster began. */
  readonly atMillis: number;
}

const SECOND_MILLIS = 1000;
/** A time above every back-off: when nothing has changed for so long, nothing will. */
const QUIET_MILLIS = 11 * 60_000;
const LIMIT_MILLIS = 6 * 3_600_000;
/** A run with more tasks than this while no time passes goes round in a circle. */
const STEPS_PER_SECOND_MAX = 50_000;

/** What is refused although everybody does as upstream does. */
const KNOWN_REFUSALS = [
  // A Job that backs off says that it has no active pods, also while some are ready.
  'cannot set more ready pods than active',
  // The scheduler patches a pod by its name, which may belong to another pod by now.
  'status.conditions[0].status: is required',
  // An index fails with a pod that is being deleted, and then that pod succeeds: see `isContradicted`.
  CONTRADICTION,
  // The pods of a Job succeed before its suspension could delete them: upstream's controller has cleared the start time
  // of the suspended Job by then, and tries in vain to complete it until it is resumed.
  'startTime is required for finished job',
];

/**
 * What the agent of a node that was deleted and made anew may be refused, as a kubelet whose first list is an old one:
 * it starts a pod again that the agent before it has ended.
 */
const REFUSED_ON_NEW_NODES = 'may not be transitioned to non-terminated state';

/** Plays the script, and goes on until nothing happens any more. A step is a task of the event loop. */
export function runScript(script: Script, onLogLine: (line: string) => void = () => {}): RunResult {
  return new Run(script, onLogLine).run();
}

class Run {
  readonly #world: World;
  readonly #placement: PlacementInvariants;
  readonly #accounting: JobAccounting;
  readonly #expectations: JobExpectations;
  readonly #places: SchedulerPlaces;
  readonly #forgotten: ForgottenPods;
  readonly #devicesAndGangs: DevicesAndGangs;
  readonly #hasGroups: boolean;
  readonly #knownRefusals: readonly string[];
  #lines: string[] = [];
  #violation: Violation | undefined;
  #steps = 0;
  #stepsOfSecond = 0;
  #isSecond = false;
  #checkedWrites = 0;
  #fullyCheckedWrites = -1;
  #lastChangeMillis = START_MILLIS;

  constructor(script: Script, onLogLine: (line: string) => void) {
    const deletesNodes = script.events.some(({ act }) => act.do === 'delete' && act.resource === 'nodes');
    this.#knownRefusals = deletesNodes ? [...KNOWN_REFUSALS, REFUSED_ON_NEW_NODES] : KNOWN_REFUSALS;
    const violated = (invariant: string, detail: string): void => {
      this.#violation ??= new Violation(invariant, detail);
    };
    this.#world = new World(script, {
      violated,
      onError: (error, activity) => this.#judgeError(error, activity),
      onLogLine: (line) => {
        if (line.includes('SuccessfulDelete')) this.#lines.push(line);
        onLogLine(line);
      },
    });
    const { mirror, cluster } = this.#world;
    this.#placement = new PlacementInvariants(mirror, violated);
    this.#accounting = new JobAccounting(
      mirror,
      ({ metadata }) =>
        cluster.controllerInformers.of('pods').lister.get(metadata?.namespace ?? '', metadata?.name ?? ''),
      violated,
    );
    this.#expectations = new JobExpectations(cluster, mirror, violated);
    this.#places = new SchedulerPlaces(cluster, () => this.#world.errands, violated);
    this.#forgotten = new ForgottenPods(cluster, violated);
    this.#devicesAndGangs = new DevicesAndGangs(cluster, mirror, violated);
    this.#hasGroups = script.hasGroups;
  }

  run(): RunResult {
    const { loop } = this.#world;
    this.#world.start();
    this.#tick();
    while (this.#violation === undefined && !this.#isOver()) this.#step();
    this.#devicesAndGangs.checkRest(this.#world.mirror.pods.values());
    if (this.#violation === undefined) checkRest(this.#world, this.#accounting, (...what) => this.#violated(...what));
    this.#checkMemory();
    return {
      hash: this.#world.cluster.log.hash(),
      steps: this.#steps,
      violation: this.#violation,
      atMillis: loop.nowMillis() - START_MILLIS,
    };
  }

  #violated(invariant: string, detail: string): void {
    this.#violation ??= new Violation(invariant, detail);
  }

  #isOver(): boolean {
    const nowMillis = this.#world.loop.nowMillis();
    if (nowMillis - START_MILLIS > LIMIT_MILLIS) this.#violated('it comes to rest', 'something happens without end');
    return this.#world.isPeace && nowMillis - this.#lastChangeMillis > QUIET_MILLIS;
  }

  #tick(): void {
    this.#world.loop.after(SECOND_MILLIS, () => {
      this.#isSecond = true;
      this.#stepsOfSecond = 0;
      this.#tick();
    });
  }

  #step(): void {
    const { loop, mirror, client } = this.#world;
    this.#steps++;
    if (++this.#stepsOfSecond > STEPS_PER_SECOND_MAX) this.#violated('time passes', 'tasks go round in a circle');
    try {
      loop.step();
    } catch (error) {
      this.#violated('no task throws', error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    const isChanged = mirror.writes !== this.#checkedWrites;
    if (isChanged) this.#lastChangeMillis = loop.nowMillis();
    if (!this.#world.isPeace) this.#lastChangeMillis = loop.nowMillis();
    if (isChanged || client.hasRequests || this.#isSecond) this.#checkStep();
    if (this.#isSecond) this.#checkSecond();
    this.#isSecond = false;
    this.#checkedWrites = mirror.writes;
  }

  #checkStep(): void {
    const requests = this.#world.client.takeRequests();
    for (const request of requests) {
      this.#placement.requested(request);
      this.#accounting.requested(request);
      this.#devicesAndGangs.requested(request);
    }
    this.#expectations.checkMade(requests);
    this.#accounting.checkReleased();
    this.#accounting.checkSuspects();
    this.#placement.checkRooms(this.#world.loop.nowMillis());
    this.#places.check();
    if (this.#hasGroups) this.#devicesAndGangs.check();
    this.#devicesAndGangs.checkGiven();
    this.#devicesAndGangs.checkPrepared();
    if (this.#lines.length > 0) {
      checkOwnPods(this.#lines, this.#world.cluster.controllerInformers, (...what) => this.#violated(...what));
      this.#lines = [];
    }
  }

  #checkMemory(): void {
    try {
      this.#world.hosts.check();
    } catch (error) {
      this.#violated('everybody keeps to their memory', error instanceof Error ? error.message : String(error));
    }
  }

  /** What takes longer to look at. */
  #checkSecond(): void {
    const { mirror, cluster, plegs, client, loop } = this.#world;
    this.#checkMemory();
    plegs.check();
    this.#placement.recheckRooms(loop.nowMillis());
    const violated = (invariant: string, detail: string): void => this.#violated(invariant, detail);
    const { shared, controllers } = cachesOf(cluster);
    const [hasSharedSeen, haveControllersSeen] = [isCaughtUp(shared, mirror), isCaughtUp(controllers, mirror)];
    if (hasSharedSeen) this.#forgotten.check(loop.nowMillis(), mirror.writes);
    const isSeen = hasSharedSeen && haveControllersSeen;
    if (isSeen && this.#fullyCheckedWrites === mirror.writes) return;
    checkCaches(shared, mirror, violated);
    checkCaches(controllers, mirror, violated);
    if (hasSharedSeen) this.#places.checkRebuild();
    if (haveControllersSeen) this.#expectations.checkDrained(loop.nowMillis(), client.gaps);
    if (isSeen) this.#fullyCheckedWrites = mirror.writes;
  }

  /** Components report what the API refused and what failed in the runtime; never mistakes of their own. */
  #judgeError(error: unknown, activity: string): void {
    let root = error;
    while (root instanceof Error && root.cause !== undefined) root = root.cause;
    if (root instanceof CodedError && !isMalformed(root, this.#knownRefusals)) return;
    const text = root instanceof Error && !(root instanceof CodedError) ? root.stack : String(root);
    this.#violated('only the API and the runtime fail', `${activity}: ${text}`);
  }
}

/** Whether the API refused a request as malformed for a reason that is not known here. */
function isMalformed(error: CodedError<string>, knownRefusals: readonly string[]): boolean {
  if (!isApiError(error, 'BadRequest') && !isApiError(error, 'Invalid')) return false;
  return !knownRefusals.some((known) => error.message.includes(known));
}
