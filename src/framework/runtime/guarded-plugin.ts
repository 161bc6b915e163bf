import type { Pod } from '../../api/pod.ts';
import type { CycleState } from '../cycle-state.ts';
import type { NodeInfo } from '../node-info.ts';
import type { Plugin, PreFilterResult } from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';
import { notHelped, type PostFilterContext, type PostFilterOutcome } from '../post-filter.ts';
import type { QueuedPod } from '../queued-pod.ts';
import { errorStatus, isRejection, type Status } from '../status.ts';
import type { NodeScore, UserPlugin, UserPostFilterResult } from '../user-plugin.ts';
import { answerOf, described, textOf } from './plugin-answer.ts';

/** A plugin failed to score a node. Thrown by `score` and `normalizeScores`, which return no status. */
export class ScoreFailure extends Error {
  override readonly name = 'ScoreFailure';
  /** The status has the code Error. */
  readonly status: Status;

  constructor(status: Status) {
    super(status.reasons.join(', '));
    this.status = status;
  }
}

/** The failure of a score plugin in upstream's words. */
function scoreFailure(plugin: string, step: 'Score' | 'Normalize on Score', reason: string): ScoreFailure {
  const failed = `plugin ${JSON.stringify(plugin)} failed with: ${reason}`;
  return new ScoreFailure(errorStatus(plugin, `running ${step} plugins: ${failed}`));
}

/** Returns what `run` returns, or the ScoreFailure that it throws. */
export function orScoreFailure<T>(run: () => T): T | ScoreFailure {
  try {
    return run();
  } catch (error) {
    if (error instanceof ScoreFailure) return error;
    throw error;
  }
}

type Member = (...args: never[]) => unknown;

/**
 * An out-of-tree plugin in the form of an in-tree plugin, with the same methods. Whatever its methods throw or return,
 * the guarded methods return a valid answer or throw a ScoreFailure.
 */
export function guarded(plugin: UserPlugin): Plugin {
  const members: Record<string, Member | undefined> = {
    preEnqueue: checked(plugin, 'preEnqueue'),
    less: plugin.less && ((a: QueuedPod, b: QueuedPod) => isBefore(plugin, a, b)),
    ...filters(plugin),
    ...scores(plugin),
    ...bound(plugin),
  };
  const present = Object.entries(members).filter(([, member]) => member !== undefined);
  return { ...declarations(plugin), ...Object.fromEntries(present) };
}

function declarations(plugin: UserPlugin): Plugin & Record<string, unknown> {
  const { name, normalize, columns, stateReads = 'cluster', filterReads = 'cluster', scoreReads = 'cluster' } = plugin;
  const hasState = plugin.preFilter !== undefined || plugin.preScore !== undefined;
  const isAboutSpec = plugin.dependsOn !== undefined || (hasState && stateReads === 'pod');
  return {
    name,
    ...(isAboutSpec && { dependsOn: (pod: Pod) => dependency(plugin, pod) }),
    ...(plugin.eventsToRegister && { eventsToRegister: () => plugin.eventsToRegister?.() ?? [] }),
    ...(hasState && stateReads === 'cluster' && { readsCluster: true }),
    ...(plugin.filter && { filterReads }),
    ...(plugin.score && { scoreReads }),
    ...(normalize && { normalize }),
    ...(columns && { columns }),
  };
}

/** JSON text. Without a valid answer of `dependsOn`, the plugin depends on the whole spec. */
function dependency(plugin: UserPlugin, { spec = { containers: [] } }: Pod): string {
  if (plugin.dependsOn !== undefined) {
    try {
      const text = JSON.stringify(plugin.dependsOn({ spec }) ?? null);
      if (text !== undefined) return text;
    } catch {
      // A `dependsOn` that throws is the same as one without an answer.
    }
  }
  return JSON.stringify(spec);
}

/** A method that returns a status or nothing, with its answer checked; undefined if the plugin has no such method. */
function checked(
  plugin: UserPlugin,
  method: 'preEnqueue' | 'addPod' | 'removePod' | 'preScore',
): ((...args: never[]) => Status | null) | undefined {
  if (plugin[method] === undefined) return undefined;
  const { name } = plugin;
  return (...args) => answerOf({ name }, () => (plugin[method] as Member | undefined)?.apply(plugin, args));
}

/** The plugin's order of the queue; the order of arrival where the plugin gives no valid answer. */
function isBefore(plugin: UserPlugin, a: QueuedPod, b: QueuedPod): boolean {
  try {
    const answer: unknown = plugin.less?.(a, b);
    if (typeof answer === 'boolean') return answer;
  } catch {
    // A `less` that throws is the same as one without an answer.
  }
  return a.timestampMillis < b.timestampMillis;
}

function filters(plugin: UserPlugin): Record<string, Member | undefined> {
  const { name } = plugin;
  return {
    preFilter:
      plugin.preFilter &&
      ((...args: Parameters<NonNullable<UserPlugin['preFilter']>>): Status | PreFilterResult | null => {
        let result: PreFilterResult | null = null;
        const status = answerOf({ name }, () => {
          const answer = plugin.preFilter?.(...args);
          if (!isPreFilterResult(answer)) return answer;
          result = answer;
          return null;
        });
        return status ?? result;
      }),
    addPod: checked(plugin, 'addPod'),
    removePod: checked(plugin, 'removePod'),
    filter:
      plugin.filter &&
      ((state: CycleState, pod: PodInfo, node: NodeInfo): Status | null => {
        const status = answerOf({ name }, () => plugin.filter?.(state, pod, node));
        if (status === null) return null;
        // The plugin may change its object later, and engines recognise rejections by the object.
        if (isRejection(status) || status.code === 'Error') return { ...status };
        // A filter accepts or rejects a node, so that any other code is an error.
        return errorStatus(name, [status.code, ...status.reasons].join(', '));
      }),
    postFilter: plugin.postFilter && ((context: PostFilterContext) => postFilter(plugin, context)),
  };
}

function isPreFilterResult(answer: unknown): answer is PreFilterResult {
  return typeof answer === 'object' && answer !== null && 'nodeNames' in answer && answer.nodeNames instanceof Set;
}

function postFilter(plugin: UserPlugin, { state, pod, statuses }: PostFilterContext): PostFilterOutcome {
  const { name } = plugin;
  let result: Partial<UserPostFilterResult> = {};
  const status = answerOf({ name }, () => {
    const answer = plugin.postFilter?.(state, pod, statuses);
    if (typeof answer !== 'object' || answer === null || !('status' in answer)) return answer;
    result = answer;
    return answer.status;
  });
  const { nominatedNodeName = null, victims = [] } = result;
  if (status?.code === 'Error') return notHelped(namedError(name, status.reasons.join(', ')));
  if (nominatedNodeName !== null && typeof nominatedNodeName !== 'string') {
    return notHelped(namedError(name, `${described(nominatedNodeName)} is no node name`));
  }
  if (!Array.isArray(victims)) return notHelped(namedError(name, `${described(victims)} is no list of pods`));
  return {
    status: status ?? { code: 'Success', reasons: [], plugin: name },
    nominatedNodeName,
    victims,
    preemption: null,
  };
}

/** The error text of PostFilter is named here: upstream's does not contain the name of the plugin. */
function namedError(name: string, reason: string): Status {
  return errorStatus(name, `running PostFilter plugin ${JSON.stringify(name)}: ${reason}`);
}

function scores(plugin: UserPlugin): Record<string, Member | undefined> {
  return {
    preScore: checked(plugin, 'preScore'),
    score: plugin.score && ((state: CycleState, pod: PodInfo, node: NodeInfo) => score(plugin, state, pod, node)),
    normalizeScores:
      plugin.normalizeScore &&
      ((state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[], raw: readonly number[]) =>
        normalizeScores(plugin, state, pod, nodes, raw)),
  };
}

function score(plugin: UserPlugin, state: CycleState, pod: PodInfo, node: NodeInfo): number {
  let answer: unknown;
  try {
    answer = plugin.score?.(state, pod, node);
  } catch (error) {
    throw scoreFailure(plugin.name, 'Score', textOf(error));
  }
  if (typeof answer === 'number' && Number.isSafeInteger(answer)) return answer;
  const status = typeof answer === 'object' && answer !== null ? answerOf(plugin, () => answer) : null;
  const reason = status === null ? `${described(answer)} is no whole number` : status.reasons.join(', ');
  throw scoreFailure(plugin.name, 'Score', reason);
}

function normalizeScores(
  plugin: UserPlugin,
  state: CycleState,
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  raw: readonly number[],
): number[] {
  const list = nodes.map((node, i): NodeScore => ({ name: node.name, score: raw[i] ?? 0 }));
  const status = answerOf(plugin, () => plugin.normalizeScore?.(state, pod, list));
  const failed = (reason: string) => scoreFailure(plugin.name, 'Normalize on Score', reason);
  if (status !== null) throw failed(status.code === 'Error' ? status.reasons.join(', ') : status.code);
  return list.map(({ score: normalized }) => {
    if (Number.isSafeInteger(normalized)) return normalized;
    throw failed(`${described(normalized)} is no whole number`);
  });
}

/** Methods that are called as they are: their callers check the answers. */
const BOUND_METHODS = [
  ...(['columnStatuses', 'filterColumns', 'scoreColumns'] as const),
  ...(['permit', 'preBindPreFlight', 'preBind', 'bind', 'postBind'] as const),
];

function bound(plugin: UserPlugin): Record<string, Member | undefined> {
  return {
    ...Object.fromEntries(BOUND_METHODS.map((name) => [name, plugin[name]?.bind(plugin) as Member | undefined])),
    reserve:
      plugin.reserve && ((state: CycleState, pod: PodInfo, { name }: NodeInfo) => plugin.reserve?.(state, pod, name)),
    unreserve:
      plugin.reserve && ((state: CycleState, pod: PodInfo, { name }: NodeInfo) => plugin.unreserve?.(state, pod, name)),
  };
}
