import type { KubernetesObject } from '../api/meta.ts';
import { CONTROLLER_NAMES, isControllerItem } from '../cluster/controller-names.ts';
import type { NodeAgentsOptions } from '../kubelet/agents/node-agents.ts';
import { CodedError } from '../lib/errors.ts';
import type { Pace } from '../lib/paced-event-loop.ts';
import type { StoreSchedulerOptions } from '../scheduler/store-scheduler.ts';

export type { Pace };

/**
 * `real`: the machine's time. `stepped`: time stands still, and passes by `ServedCluster.step` alone; what is due is
 * done at once.
 */
export type ServedClock = 'real' | 'stepped';

/** What `serve` serves; all of it has defaults. */
export interface ServeOptions {
  /** The address to listen on; absent: 127.0.0.1, which only this machine can reach. Others need a `token`. */
  readonly host?: string;
  /** The port; absent or 0: a free one. */
  readonly port?: number;
  /** Whether clients speak TLS with the server, by a fresh certificate; absent: they do. */
  readonly tls?: boolean;
  /** The token that clients must send; absent: a fresh one. */
  readonly token?: string;
  /** The clock of the cluster; absent: `real`. */
  readonly clock?: ServedClock;
  /** How many seconds of the cluster pass in a second of a real clock, or `max`, or `paused`; absent: 1. */
  readonly speed?: Pace;
  /** When a stepped clock begins, in milliseconds since the Unix epoch; absent: the beginning of 2026. */
  readonly startMillis?: number;
  /** The seed of uids, names and draws; absent: 1, and on a real clock new uids each time. */
  readonly seed?: number;
  /** How many synthetic nodes there are from the beginning; absent: none. */
  readonly nodes?: number;
  /** What the synthetic nodes offer, in turn, such as `cpu=32,memory=256Gi,pods=110`. */
  readonly shapes?: readonly string[];
  /** The objects that are there from the beginning, created in this order as by a client. */
  readonly objects?: Iterable<KubernetesObject>;
  /** The scheduler's options; `false`: pods are left to another one. Absent: the default scheduler. */
  readonly scheduler?: StoreSchedulerOptions | false;
  /**
   * Which features are on, as with kube-scheduler; they apply to the scheduler, the controllers and the API: PodGroups
   * and Workloads are served with GenericWorkload, and keep the fields whose gates are on. Absent: the defaults.
   */
  readonly featureGates?: StoreSchedulerOptions['featureGates'];
  /**
   * Which controllers run, by their names of kube-controller-manager; `*` stands for those that run by default, and
   * `-job-controller` excludes one. Absent: `['*']`.
   */
  readonly controllers?: readonly string[];
  /** Whether simulated node agents run the pods, or their options; absent: bound pods stay pending. */
  readonly agents?: NodeAgentsOptions | boolean;
  /** A directory in which every write is kept, and from which the cluster goes on; it needs the package `lmdb`. */
  readonly data?: string;
  /** A file from which a new cluster begins if it is there, and which `close` writes. */
  readonly snapshot?: string;
  /** A file into which every request is noted, a line each: Events of audit.k8s.io/v1. */
  readonly record?: string;
  /** Receives errors that stop nothing. Absent: errors of controllers are only in the cluster's log. */
  readonly onError?: (error: unknown, activity: string) => void;
}

/** What a caller of `serve` can cause. */
export class ServeError extends CodedError<'Invalid' | 'PortNotFree' | 'RealTime' | 'FileNotWritable'> {}

const OPTIONS: readonly string[] = [
  ...['host', 'port', 'tls', 'token', 'clock', 'speed', 'startMillis', 'seed', 'nodes', 'shapes', 'objects'],
  ...['scheduler', 'featureGates', 'controllers', 'agents', 'data', 'snapshot', 'record', 'onError'],
];
const PORT_MAX = 65_535;
/** The version of a cluster that goes on is added to it. */
const SEED_MAX = 2 ** 52;
const NODES_MAX = 1_000_000;
export const SPEED_MAX = 1_000_000;
const CLOCKS: readonly string[] = ['real', 'stepped'];

/** The feature gates that are given, by the options or by the configuration of the scheduler. */
export function gatesOf({ scheduler, featureGates }: ServeOptions): NonNullable<ServeOptions['featureGates']> {
  const own = scheduler === false ? undefined : scheduler;
  return { ...own?.configuration?.featureGates, ...own?.featureGates, ...featureGates };
}

/** Checks the options of callers that do not use TypeScript. @throws ServeError `Invalid` */
export function checkServeOptions(options: ServeOptions): void {
  for (const name of Object.keys(options)) {
    if (!OPTIONS.includes(name)) throw invalid(name, 'there is no such option');
  }
  const { clock = 'real', speed = 1, startMillis = 0, token } = options;
  checkInteger(options, 'port', PORT_MAX);
  checkInteger(options, 'nodes', NODES_MAX);
  checkInteger(options, 'seed', SEED_MAX);
  if (!CLOCKS.includes(clock)) throw invalid('clock', `${shown(clock)} is none of ${CLOCKS.join(', ')}`);
  if (!isPace(speed)) throw invalid('speed', `${shown(speed)} is neither a number up to ${SPEED_MAX}, max nor paused`);
  if (clock === 'stepped' && options.speed !== undefined) throw invalid('speed', 'a stepped clock has none');
  if (!Number.isFinite(startMillis)) throw invalid('startMillis', `${shown(startMillis)} is not a time`);
  if (clock === 'real' && options.startMillis !== undefined) throw invalid('startMillis', 'a real clock has its own');
  for (const item of options.controllers ?? []) {
    if (!isControllerItem(item))
      throw invalid('controllers', `${shown(item)} is none of ${CONTROLLER_NAMES.join(', ')}`);
  }
  // A name has no colon, and an IPv6 address more than one.
  if (/^[^:]*:[^:]*$/.test(options.host ?? ''))
    throw invalid('host', `${shown(options.host)} is no address; port has the port`);
  if (!isLoopback(options.host ?? '127.0.0.1') && (token?.length ?? 0) < TOKEN_LENGTH_MIN) {
    const what = `a token of ${TOKEN_LENGTH_MIN} characters or more, since others can reach ${options.host}`;
    throw invalid('token', `what listens beyond this machine needs ${what}`);
  }
  if (token !== undefined && !TOKEN.test(token)) throw invalid('token', 'it has characters that no header carries');
}

export function isPace(speed: unknown): speed is Pace {
  if (typeof speed === 'string') return speed === 'max' || speed === 'paused';
  return typeof speed === 'number' && speed > 0 && speed <= SPEED_MAX;
}

/** A shorter token could be guessed. */
const TOKEN_LENGTH_MIN = 16;

/** Whether only this machine can reach an address. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** The characters of bearer tokens. */
const TOKEN = /^[\w.~+/-]+=*$/;

function checkInteger(options: ServeOptions, name: 'port' | 'nodes' | 'seed', most: number): void {
  const value = options[name];
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0 && value <= most)) return;
  throw invalid(name, `${shown(value)} is not an integer from 0 to ${most}`);
}

function invalid(name: string, reason: string): ServeError {
  return new ServeError('Invalid', `option ${name}: ${reason}`);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
