import { autoscalerToV2 } from '../conversion/autoscalers.ts';
import { objectAt, objectsAt, textAt, textsAt } from '../defaults/members.ts';
import type { ApiObject, JsonObject, JsonValue } from '../object/json.ts';
import {
  ageOf,
  containerCells,
  countAt,
  humanDuration,
  labelsText,
  nameOf,
  numberAt,
  selectorText,
  since,
} from './cell-texts.ts';
import { metricsText } from './metrics-text.ts';

export type CellsOf = (object: JsonObject, nowMillis: number) => JsonValue[];

/** Rows of the kinds that make pods, in the order of their columns. */

function templateSpec(object: JsonObject): JsonObject | undefined {
  return objectAt(objectAt(objectAt(object, 'spec'), 'template'), 'spec');
}

function isJobIn(job: JsonObject, condition: string): boolean {
  const conditions = objectsAt(objectAt(job, 'status'), 'conditions');
  return conditions.some(({ type, status }) => type === condition && status === 'True');
}

function jobStatus(job: JsonObject): string {
  if (isJobIn(job, 'Complete')) return 'Complete';
  if (isJobIn(job, 'Failed')) return 'Failed';
  if (objectAt(job, 'metadata')?.['deletionTimestamp'] !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => isJobIn(job, type)) ?? 'Running';
}

function jobCells(job: JsonObject, now: number): JsonValue[] {
  const spec = objectAt(job, 'spec');
  const status = objectAt(job, 'status');
  const succeeded = numberAt(status, 'succeeded');
  const parallelism = numberAt(spec, 'parallelism');
  const open = parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
  const completions = spec?.['completions'] === undefined ? open : `${succeeded}/${numberAt(spec, 'completions')}`;
  const start = textAt(status, 'startTime');
  const end = textAt(status, 'completionTime');
  const millis = (end === '' ? now : new Date(end).getTime()) - new Date(start).getTime();
  const duration = start === '' ? '' : humanDuration(millis);
  const selector = selectorText(spec?.['selector']);
  const head = [nameOf(job), jobStatus(job), completions, duration, ageOf(job, now)];
  return [...head, ...containerCells(templateSpec(job)), selector];
}

function cronJobCells(job: JsonObject, now: number): JsonValue[] {
  const spec = objectAt(job, 'spec');
  const status = objectAt(job, 'status');
  const jobSpec = objectAt(objectAt(spec, 'jobTemplate'), 'spec');
  const suspend = spec?.['suspend'] === undefined ? '<unset>' : spec['suspend'] === true ? 'True' : 'False';
  const last = status?.['lastScheduleTime'];
  return [
    ...[nameOf(job), textAt(spec, 'schedule'), textAt(spec, 'timeZone') || '<none>', suspend],
    ...[countAt(status, 'active'), last === undefined ? '<none>' : since(last, now), ageOf(job, now)],
    ...[...containerCells(objectAt(objectAt(jobSpec, 'template'), 'spec')), selectorText(jobSpec?.['selector'])],
  ];
}

function replicaCells(object: JsonObject, now: number, selector: string): JsonValue[] {
  const status = objectAt(object, 'status');
  const desired = numberAt(objectAt(object, 'spec'), 'replicas');
  const counts = [desired, numberAt(status, 'replicas'), numberAt(status, 'readyReplicas')];
  return [nameOf(object), ...counts, ageOf(object, now), ...containerCells(templateSpec(object)), selector];
}

function autoscalerCells(object: JsonObject, now: number): JsonValue[] {
  const autoscaler = object['apiVersion'] === 'autoscaling/v1' ? autoscalerToV2(object as ApiObject) : object;
  const spec = objectAt(autoscaler, 'spec');
  const target = objectAt(spec, 'scaleTargetRef');
  const minimum = spec?.['minReplicas'] === undefined ? '<unset>' : String(spec['minReplicas']);
  const replicas = numberAt(objectAt(autoscaler, 'status'), 'currentReplicas');
  return [
    ...[nameOf(autoscaler), `${textAt(target, 'kind')}/${textAt(target, 'name')}`, metricsText(autoscaler)],
    ...[minimum, numberAt(spec, 'maxReplicas'), replicas, ageOf(autoscaler, now)],
  ];
}

export const WORKLOAD_ROWS: Readonly<Record<string, CellsOf>> = {
  Scale: (object, now) => {
    const counts = [objectAt(object, 'spec'), objectAt(object, 'status')].map((part) => numberAt(part, 'replicas'));
    return [nameOf(object), ...counts, ageOf(object, now)];
  },
  Deployment: (object, now) => {
    const spec = objectAt(object, 'spec');
    const status = objectAt(object, 'status');
    const ready = `${numberAt(status, 'readyReplicas')}/${numberAt(spec, 'replicas')}`;
    const counts = [numberAt(status, 'updatedReplicas'), numberAt(status, 'availableReplicas')];
    const tail = [...containerCells(templateSpec(object)), selectorText(spec?.['selector'])];
    return [nameOf(object), ready, ...counts, ageOf(object, now), ...tail];
  },
  DaemonSet: (object, now) => {
    const status = objectAt(object, 'status');
    const names = ['desiredNumberScheduled', 'currentNumberScheduled', 'numberReady', 'updatedNumberScheduled'];
    const counts = [...names, 'numberAvailable'].map((name) => numberAt(status, name));
    const nodes = labelsText(templateSpec(object)?.['nodeSelector']);
    const selector = selectorText(objectAt(object, 'spec')?.['selector']);
    return [nameOf(object), ...counts, nodes, ageOf(object, now), ...containerCells(templateSpec(object)), selector];
  },
  StatefulSet: (object, now) => {
    const ready = numberAt(objectAt(object, 'status'), 'readyReplicas');
    const text = `${ready}/${numberAt(objectAt(object, 'spec'), 'replicas')}`;
    return [nameOf(object), text, ageOf(object, now), ...containerCells(templateSpec(object))];
  },
  ReplicaSet: (object, now) => replicaCells(object, now, selectorText(objectAt(object, 'spec')?.['selector'])),
  ReplicationController: (object, now) => replicaCells(object, now, labelsText(objectAt(object, 'spec')?.['selector'])),
  Job: jobCells,
  CronJob: cronJobCells,
  HorizontalPodAutoscaler: autoscalerCells,
  PodTemplate: (object) => {
    const template = objectAt(object, 'template');
    const labels = labelsText(objectAt(template, 'metadata')?.['labels']);
    return [nameOf(object), ...containerCells(objectAt(template, 'spec')), labels];
  },
  ControllerRevision: (object, now) => {
    const owner = objectsAt(objectAt(object, 'metadata'), 'ownerReferences').find(
      (each) => each['controller'] === true,
    );
    const group = textAt(owner, 'apiVersion').split('/').slice(0, -1).join('');
    const kind = textAt(owner, 'kind').toLowerCase() + (group === '' ? '' : `.${group}`);
    const text = owner === undefined ? '<none>' : `${kind}/${textAt(owner, 'name')}`;
    return [nameOf(object), text, numberAt(object, 'revision'), ageOf(object, now)];
  },
  PodDisruptionBudget: (object, now) => {
    const spec = objectAt(object, 'spec');
    const limits = ['minAvailable', 'maxUnavailable'].map((name) => String(spec?.[name] ?? 'N/A'));
    return [nameOf(object), ...limits, numberAt(objectAt(object, 'status'), 'disruptionsAllowed'), ageOf(object, now)];
  },
  ResourceQuota: (object, now) => {
    const status = objectAt(object, 'status');
    const hard = objectAt(status, 'hard') ?? {};
    const used = objectAt(status, 'used') ?? {};
    const [requests, limits]: [string[], string[]] = [[], []];
    for (const name of Object.keys(hard).sort()) {
      const text = `${name}: ${String(used[name] ?? '0')}/${String(hard[name])}`;
      (name.startsWith('limits') ? limits : requests).push(text);
    }
    return [nameOf(object), requests.join(', '), limits.join(', '), ageOf(object, now)];
  },
  CSIDriver: (object, now) => {
    const spec = objectAt(object, 'spec');
    const is = (name: string, otherwise: boolean): JsonValue => spec?.[name] ?? otherwise;
    const requests = objectsAt(spec, 'tokenRequests');
    const audiences = requests.length === 0 ? '<unset>' : requests.map((each) => textAt(each, 'audience')).join(',');
    const modes = textsAt(spec, 'volumeLifecycleModes').join(',') || '<unset>';
    return [
      ...[nameOf(object), is('attachRequired', true), is('podInfoOnMount', false), is('storageCapacity', false)],
      ...[audiences, is('requiresRepublish', false), modes, ageOf(object, now)],
    ];
  },
};
