import { schedulerNameOf } from '../api/defaults.ts';
import type { Pod } from '../api/pod.ts';
import type { ObjectChecks } from '../caller/object-checks.ts';
import { KeptRefusal } from '../engine/cycle/kept-refusal.ts';
import { ANY_SLOT } from '../engine/index/signature-index.ts';
import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import { PodInfo } from '../framework/pod-info.ts';
import type { PostFilterOutcome } from '../framework/post-filter.ts';
import { needsExtender, SchedulerError } from '../framework/scheduler-error.ts';
import { definitionOf } from '../plugins/registry.ts';
import { BatchResult } from './batch-result.ts';
import type { Profile } from './decision/profile.ts';
import { refusePod } from './decision/refuse-pod.ts';
import type { ScheduleResult } from './decision/result.ts';
import { type Decision, schedulePodAlone } from './decision/schedule-pod.ts';
import { ExpectedPods } from './expected-pods.ts';
import type { PodTemplate } from './pod-templates.ts';
import type { Profiles } from './profiles.ts';
import { reservePod } from './reserve-pod.ts';
import { onlySlotOf } from './template-pods.ts';

/** How many pods of a batch are looked up ahead, side by side. */
const AHEAD = 32;

/** The attempts to place pods: the checks before one, the decision, and what follows from it. */
export class Attempts {
  readonly #profiles: Profiles;
  readonly #cluster: ClusterState;
  readonly #checks: ObjectChecks;

  constructor(profiles: Profiles, checks: ObjectChecks) {
    this.#profiles = profiles;
    this.#cluster = profiles.cluster;
    this.#checks = checks;
  }

  schedule(given: Pod): ScheduleResult {
    const { activeTrace, placeByIndex, templates } = this.#profiles;
    const known = templates.known(given);
    const pod = this.checked(given, known);
    const template = this.#templateOf(pod, known);
    const info = this.start(pod, template);
    let result: ScheduleResult;
    try {
      activeTrace.begin(pod);
      // After a pod that fits nowhere the next one without a nomination rarely does.
      result =
        (template.fitsNowhere ? null : placeByIndex.place(info, template)) ?? this.#scheduleByCycle(info, template);
      if (info.nominatedNodeName === '') template.fitsNowhere = result.status === 'unschedulable';
    } catch (error) {
      activeTrace.abandon();
      this.#cluster.pods.forget(info);
      throw error;
    }
    this.#finishTrace(result.status === 'scheduled' ? result.node : null);
    return result;
  }

  /** Ends the trace of a decision that is made, which a tracer that throws does not undo. */
  #finishTrace(nodeName: string | null): void {
    const { activeTrace, logger } = this.#profiles;
    try {
      activeTrace.finish(nodeName);
    } catch (error) {
      logger.error('the tracer failed at the end of a decision', { error: String(error) });
    }
  }

  scheduleBatch(pods: readonly Pod[], endsAtFailure = false): BatchResult {
    this.#checks.checkPods(pods);
    const expected = this.#expectAll(pods);
    const results = new BatchResult(pods.length, this.#cluster.holdNodeNames());
    let next = 0;
    const goesOn = (): boolean => !endsAtFailure || results.scheduledCount === results.length;
    while (next < expected.length && goesOn()) next = this.#placeNext(expected, next, results);
    this.#profiles.placeByIndex.flush();
    if (next === expected.length) return results;
    for (let i = next; i < expected.length; i++) this.#cluster.pods.forget(expected.info(i));
    const tried = new BatchResult(next);
    for (let i = 0; i < next; i++) tried.set(i, results.at(i));
    return tried;
  }

  /** Places the next pods of a batch; returns the index of the first that was not tried. */
  #placeNext(expected: ExpectedPods, next: number, results: BatchResult): number {
    const { activeTrace, placeByIndex } = this.#profiles;
    const [pod, template] = [expected.info(next), expected.template(next)];
    expected.next = next;
    let end = next;
    try {
      activeTrace.begin(pod.pod);
      // After a pod that fits nowhere the next one like it rarely does, as in `schedule`.
      if (template.refusal === null) end = placeByIndex.placeRun(expected, next, results);
      if (end === next) {
        placeByIndex.flush();
        results.set(next, this.#scheduleByCycle(pod, template));
      }
    } catch (error) {
      activeTrace.abandon();
      // What was placed before must not be lost, so the failure becomes the result of this pod alone.
      this.#cluster.pods.forget(pod);
      results.set(next, { status: 'error', message: error instanceof Error ? error.message : String(error) });
    }
    this.#finishTrace(results.nodeName(next));
    return Math.max(end, next + 1);
  }

  /** Begins the attempts of all pods, or of none. */
  #expectAll(pods: readonly Pod[]): ExpectedPods {
    const { byName } = this.#cluster.pods;
    const expected = new ExpectedPods(pods.length, byName);
    byName.reserve(pods.length);
    try {
      // An iterator would make an object for each pod, since the loop runs once in a batch.
      for (let i = 0; i < pods.length; i++) {
        const given = pods[i] as Pod;
        if (i % AHEAD === 0) byName.readAhead(pods, i, Math.min(i + AHEAD, pods.length));
        const known = this.#profiles.templates.known(given);
        const pod = this.checked(given, known);
        const template = this.#templateOf(pod, known);
        const info = this.start(pod, template, 'is twice in the batch');
        // What the pod says of its node was just read, and is not in the cache any more when the pod is placed.
        expected.add(info, template.specBesideNode === null ? ANY_SLOT : onlySlotOf(info, this.#cluster));
      }
    } catch (error) {
      for (let i = 0; i < expected.count; i++) this.#cluster.pods.forget(expected.info(i));
      throw error;
    }
    return expected;
  }

  /** Begins the attempt of the pod. `twice`: what the error says of a pod with an attempt. Errors: AlreadyExists. */
  start(pod: Pod, template: PodTemplate, twice = 'is being scheduled already'): PodInfo {
    const info = new PodInfo(pod, template.requirements, '');
    info.template = template;
    info.metadataForm = this.#checks.metadataFormOf(pod);
    const started = this.#cluster.pods.startAttempt(info);
    if (started !== null) return started;
    const nodeName = this.#cluster.pods.get(info.namespace, info.name)?.nodeName;
    const reason = nodeName ? `is on node ${nodeName} already` : twice;
    throw new SchedulerError('AlreadyExists', `pod ${info.key} ${reason}`);
  }

  /** Returns the template of a checked pod; `known` if it is not undefined. Errors: NeedsExtender. */
  #templateOf(pod: Pod, known: PodTemplate | undefined): PodTemplate {
    const template = known ?? this.#profiles.templates.of(pod);
    if (template.needsExtenders) throw needsExtender(pod, 'scheduleAsync');
    return template;
  }

  /** Returns the pod to be kept. `known`: the template of the pod, if it has one. Errors: Invalid. */
  checked(pod: Pod, known = this.#profiles.templates.known(pod)): Pod {
    // Pods of one template have one signature, so most of their specs was checked before.
    if (known === undefined) return this.#checks.checkPod(pod);
    return this.#checks.checkPodOfKnownSignature(pod, this.#profiles.templates.mayHaveNames);
  }

  #scheduleByCycle(expected: PodInfo, template: PodTemplate): ScheduleResult {
    const { trace } = this.#profiles.activeTrace;
    trace?.phase('encode');
    const { profile, engine, refusal } = template;
    if (profile === undefined) {
      this.#cluster.pods.forget(expected);
      return { status: 'notResponsible', schedulerName: schedulerNameOf(expected.pod) };
    }
    const pod = this.#cluster.pods.withNomination(expected);
    const { search } = profile;
    const keeps = engine !== null && trace === null && isRepeatable(template, profile);
    if (keeps && refusal?.holds(pod, engine, this.#cluster)) {
      refusal.advance(search, this.#cluster);
      this.#cluster.pods.forget(expected);
      return { status: 'unschedulable', message: refusal.message };
    }
    const from = search.next;
    // What is kept for pods like this one may reject it on every node, without a cycle.
    const decision = (keeps ? refusePod(profile, pod, this.#cluster) : null) ?? schedulePodAlone(profile, pod);
    const result = this.carryOut(decision, profile, pod, expected);
    const isRefused = decision.node === null && result.status === 'unschedulable' && !result.nominatedNode;
    template.refusal =
      keeps && isRefused
        ? KeptRefusal.after(pod, engine, this.#cluster, result.message, { from, to: search.next })
        : null;
    return result;
  }

  /** Assumes the pod on the chosen node, or nominates it. */
  carryOut(decision: Decision, { framework }: Profile, pod: PodInfo, expected: PodInfo): ScheduleResult {
    const { result, node, postFilter, filtered } = decision;
    const { trace } = this.#profiles.activeTrace;
    if (node === null || filtered === null) {
      this.#cluster.pods.forget(expected);
      if (postFilter !== null) this.#nominate(pod, postFilter);
      return result;
    }
    trace?.phase('reserve');
    const { binding } = framework;
    // The engine keeps this state for the next pods of the same signature.
    const state = binding.reserves(pod) ? filtered.podState.clone() : null;
    const failed =
      state === null ? null : reservePod(framework, this.#cluster, { state, pod, node, started: expected });
    if (failed !== null) return failed;
    trace?.phase('assume');
    this.#cluster.pods.assume(pod, node);
    trace?.phase('bind');
    return result;
  }

  #nominate(pod: PodInfo, { nominatedNodeName, victims }: PostFilterOutcome): void {
    if (nominatedNodeName === null) return;
    const known = this.#cluster.pods.get(pod.namespace, pod.name);
    if (nominatedNodeName === (known?.nominatedNodeName ?? '')) return;
    this.#cluster.pods.nominate(pod, nominatedNodeName);
    const victimKeys = victims.map(({ key }) => key);
    this.#profiles.logger.info('preemption', { pod: pod.key, node: nominatedNodeName, victims: victimKeys });
    // Upstream clears nominations of lower priority on the node when it evicts.
    if (victims.every((victim) => victim.pod.metadata?.deletionTimestamp)) return;
    for (const other of this.#cluster.nominatedPodsForNode(nominatedNodeName)) {
      if (other.priority < pod.priority) this.#cluster.pods.nominate(other, '');
    }
  }
}

/** Whether a pod of the template that fits nowhere may stand for the next one: nothing is drawn, asked or logged. */
function isRepeatable({ asksGates, specBesideNode }: PodTemplate, profile: Profile): boolean {
  const { framework, preemption, tieBreak } = profile;
  if (asksGates || specBesideNode !== null || framework.logger.isEnabled('debug')) return false;
  if (!preemption) return true;
  return tieBreak !== 'random' && framework.postFilterPlugins.every(({ name }) => definitionOf(name) !== undefined);
}
