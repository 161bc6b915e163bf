import type { Pod } from '../../api/pod.ts';
import type { CycleState } from '../cycle-state.ts';
import type { NodeInfo } from '../node-info.ts';
import type { Plugin, PreFilterResult, Reads } from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';
import type { PostFilterContext, PostFilterOutcome } from '../post-filter.ts';
import type { QueuedPod } from '../queued-pod.ts';
import { errorStatus, isRejection, type Status } from '../status.ts';
import type { NodeScore, UserPlugin, UserPostFilterResult } from '../user-plugin.ts';
import { answerOf, described, textOf } from './plugin-answer.ts';

/** A plugin's score is none. Thrown by `score` and `normalizeScores`, which have no status to answer with. */
export class ScoreFailure extends Error {
  override readonly name = 'ScoreFailure';
  /** Code Error. */
  readonly status: Status;

  constructor(status: Status) {
    super(status.reasons.join(', '));
    this.status = status;
  }
}

/** In upstream's words. */
function scoreFailure(plugin: string, step: 'Score' | 'Normalize on Score', reason: string): ScoreFailure {
  const failed = `plugin ${JSON.stringify(plugin)} failed with: ${reason}`;
  return new ScoreFailure(errorStatus(plugin, `running ${step} plugins: ${failed}`));
}

/** What `run` answers, or what failed in it. */
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
 * A plugin of the user's as the framework calls its own: at the same points, with the same words. Whatever it throws or
 * answers, what comes out is a verdict.
 */
export function guarded(plugin: UserPlugin): Plugin {
  const members: Record<string, Member | undefined> = {
    ...gates(plugin),
    ...filters(plugin),
    ...scores(plugin),
    ...binding(plugin),
  };
  const present = Object.entries(members).filter(([, member]) => member !== undefined);
  return { ...declarations(plugin), ...Object.fromEntries(present) };
}

function declarations(plugin: UserPlugin): Plugin & Record<string, unknown> {
  const { name, normalize, columns, stateReads = 'cluster' } = plugin;
  const hasState = plugin.preFilter !== undefined || plugin.preScore !== undefined;
  const isAboutSpec = plugin.dependsOn !== undefined || (hasState && stateReads === 'pod');
  const reads = (given: Reads | undefined): Reads => given ?? 'cluster';
  return {
    name,
    ...(isAboutSpec && { dependsOn: (pod: Pod) => dependency(plugin, pod) }),
    ...(plugin.eventsToRegister && { eventsToRegister: () => plugin.eventsToRegister?.() ?? [] }),
    ...(hasState && stateReads === 'cluster' && { readsCluster: true }),
    ...(plugin.filter && { filterReads: reads(plugin.filterReads) }),
    ...(plugin.score && { scoreReads: reads(plugin.scoreReads) }),
    ...(normalize && { normalize }),
    ...(columns && { columns }),
  };
}

/** Text of JSON. A plugin that does not say, or cannot, on what it depends gets an answer for every spec. */
function dependency(plugin: UserPlugin, { spec = { containers: [] } }: Pod): string {
  if (plugin.dependsOn === undefined) return JSON.stringify(spec);
  try {
    const text = JSON.stringify((plugin.dependsOn === undefined ? spec : plugin.dependsOn({ spec })) ?? null);
    if (text !== undefined) return text;
  } catch {
    // Told apart below.
  }
  return JSON.stringify(spec);
}

function gates(plugin: UserPlugin): Record<string, Member | undefined> {
  const { name } = plugin;
  return {
    preEnqueue: plugin.preEnqueue && ((pod: PodInfo) => answerOf({ name }, () => plugin.preEnqueue?.(pod))),
    less: plugin.less && ((a: QueuedPod, b: QueuedPod) => isBefore(plugin, a, b)),
  };
}

/** A queue must have an order, whatever the plugin says: that of arrival where it says nothing of use. */
function isBefore(plugin: UserPlugin, a: QueuedPod, b: QueuedPod): boolean {
  try {
    const answer: unknown = plugin.less?.(a, b);
    if (typeof answer === 'boolean') return answer;
  } catch {
    // As good as no answer.
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
    addPod:
      plugin.addPod &&
      ((...args: Parameters<NonNullable<UserPlugin['addPod']>>) => answerOf({ name }, () => plugin.addPod?.(...args))),
    removePod:
      plugin.removePod &&
      ((...args: Parameters<NonNullable<UserPlugin['removePod']>>) =>
        answerOf({ name }, () => plugin.removePod?.(...args))),
    filter:
      plugin.filter &&
      ((state: CycleState, pod: PodInfo, node: NodeInfo): Status | null => {
        const status = answerOf({ name }, () => plugin.filter?.(state, pod, node));
        // To filter is to accept or to reject: any other code is a failure.
        if (status === null || isRejection(status) || status.code === 'Error') return status;
        return errorStatus(name, [status.code, ...status.reasons].join(', '));
      }),
    postFilter: plugin.postFilter && ((context: PostFilterContext) => postFilter(plugin, context)),
    columnStatuses: plugin.columnStatuses?.bind(plugin) as Member | undefined,
    filterColumns: plugin.filterColumns?.bind(plugin) as Member | undefined,
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
  const failed = { nominatedNodeName: null, victims: [], preemption: null };
  if (status?.code === 'Error') return { ...failed, status: namedError(name, status.reasons.join(', ')) };
  if (nominatedNodeName !== null && typeof nominatedNodeName !== 'string') {
    return { ...failed, status: namedError(name, `${described(nominatedNodeName)} is no node name`) };
  }
  if (!Array.isArray(victims))
    return { ...failed, status: namedError(name, `${described(victims)} is no list of pods`) };
  return {
    status: status ?? { code: 'Success', reasons: [], plugin: name },
    nominatedNodeName,
    victims,
    preemption: null,
  };
}

/** Upstream's error of PostFilter does not say whose it is. */
function namedError(name: string, reason: string): Status {
  return errorStatus(name, `running PostFilter plugin ${JSON.stringify(name)}: ${reason}`);
}

function scores(plugin: UserPlugin): Record<string, Member | undefined> {
  const { name } = plugin;
  return {
    preScore:
      plugin.preScore &&
      ((...args: Parameters<NonNullable<UserPlugin['preScore']>>) =>
        answerOf({ name }, () => plugin.preScore?.(...args))),
    score: plugin.score && ((state: CycleState, pod: PodInfo, node: NodeInfo) => score(plugin, state, pod, node)),
    normalizeScores:
      plugin.normalizeScore &&
      ((state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[], raw: readonly number[]) =>
        normalizeScores(plugin, state, pod, nodes, raw)),
    scoreColumns: plugin.scoreColumns?.bind(plugin) as Member | undefined,
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

/** Their loops look after themselves. */
function binding(plugin: UserPlugin): Record<string, Member | undefined> {
  const bound = (name: 'permit' | 'preBindPreFlight' | 'preBind' | 'bind' | 'postBind') =>
    plugin[name]?.bind(plugin) as Member | undefined;
  return {
    reserve:
      plugin.reserve && ((state: CycleState, pod: PodInfo, { name }: NodeInfo) => plugin.reserve?.(state, pod, name)),
    unreserve:
      plugin.reserve && ((state: CycleState, pod: PodInfo, { name }: NodeInfo) => plugin.unreserve?.(state, pod, name)),
    permit: bound('permit'),
    preBindPreFlight: bound('preBindPreFlight'),
    preBind: bound('preBind'),
    bind: bound('bind'),
    postBind: bound('postBind'),
  };
}
