import type { JsonObject } from '../object/json.ts';
import { fill, fillText, objectAt, objectMadeAt, objectsAt, textAt } from './members.ts';
import { setPodSpecDefaults } from './pod-spec.ts';

/** Defaults of the kinds that make pods (pkg/apis/apps/v1, pkg/apis/batch/v1, pkg/apis/core/v1). */

const MAX_INT32 = 2 ** 31 - 1;

function setTemplateDefaults(spec: JsonObject): void {
  const template = objectAt(spec, 'template');
  if (template === undefined) return;
  fill(template, 'metadata', {});
  setPodSpecDefaults(objectMadeAt(template, 'spec'));
}

export function setDeploymentDefaults(deployment: JsonObject): void {
  const spec = objectMadeAt(deployment, 'spec');
  fill(spec, 'replicas', 1);
  const strategy = objectMadeAt(spec, 'strategy');
  fillText(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = objectMadeAt(strategy, 'rollingUpdate');
    fill(rolling, 'maxUnavailable', '25%');
    fill(rolling, 'maxSurge', '25%');
  }
  fill(spec, 'revisionHistoryLimit', 10);
  fill(spec, 'progressDeadlineSeconds', 600);
  setTemplateDefaults(spec);
}

export function setDaemonSetDefaults(set: JsonObject): void {
  const spec = objectMadeAt(set, 'spec');
  const strategy = objectMadeAt(spec, 'updateStrategy');
  fillText(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = objectMadeAt(strategy, 'rollingUpdate');
    fill(rolling, 'maxUnavailable', 1);
    fill(rolling, 'maxSurge', 0);
  }
  fill(spec, 'revisionHistoryLimit', 10);
  setTemplateDefaults(spec);
}

export function setStatefulSetDefaults(set: JsonObject): void {
  const spec = objectMadeAt(set, 'spec');
  fillText(spec, 'podManagementPolicy', 'OrderedReady');
  const strategy = objectMadeAt(spec, 'updateStrategy');
  fillText(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = objectMadeAt(strategy, 'rollingUpdate');
    fill(rolling, 'partition', 0);
  }
  const retention = objectMadeAt(spec, 'persistentVolumeClaimRetentionPolicy');
  fillText(retention, 'whenDeleted', 'Retain');
  fillText(retention, 'whenScaled', 'Retain');
  fill(spec, 'replicas', 1);
  fill(spec, 'revisionHistoryLimit', 10);
  setTemplateDefaults(spec);
  for (const claim of objectsAt(spec, 'volumeClaimTemplates')) {
    claim['apiVersion'] = 'v1';
    claim['kind'] = 'PersistentVolumeClaim';
    fill(claim, 'metadata', {});
    setClaimDefaults(claim);
  }
}

export function setClaimDefaults(claim: JsonObject): void {
  const spec = objectMadeAt(claim, 'spec');
  fill(spec, 'volumeMode', 'Filesystem');
  mirrorDataSource(spec);
  fillText(objectMadeAt(claim, 'status'), 'phase', 'Pending');
}

/** The two fields for a source say the same; the older one knows only claims and snapshots, others are dropped. */
function mirrorDataSource(spec: JsonObject): void {
  const source = objectAt(spec, 'dataSource');
  if (source !== undefined && !isOldSource(source)) delete spec['dataSource'];
  const old = objectAt(spec, 'dataSource');
  const any = objectAt(spec, 'dataSourceRef');
  if (old !== undefined && any === undefined) spec['dataSourceRef'] = { ...old };
  if (old === undefined && any !== undefined && isOldSource(any) && !any['namespace']) spec['dataSource'] = { ...any };
}

function isOldSource(source: JsonObject): boolean {
  const group = textAt(source, 'apiGroup');
  const kind = textAt(source, 'kind');
  if (group === '') return kind === 'PersistentVolumeClaim';
  return group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot';
}

export function setReplicaSetDefaults(set: JsonObject): void {
  const spec = objectMadeAt(set, 'spec');
  fill(spec, 'replicas', 1);
  setTemplateDefaults(spec);
}

export function setReplicationControllerDefaults(controller: JsonObject): void {
  const spec = objectMadeAt(controller, 'spec');
  fill(spec, 'replicas', 1);
  const labels = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels');
  if (labels !== undefined) {
    fillMap(spec, 'selector', labels);
    fillMap(objectMadeAt(controller, 'metadata'), 'labels', labels);
  }
  setTemplateDefaults(spec);
}

function fillMap(object: JsonObject, name: string, value: JsonObject): void {
  if (Object.keys(objectAt(object, name) ?? {}).length === 0) object[name] = { ...value };
}

export function setPodTemplateDefaults(template: JsonObject): void {
  setTemplateDefaults(template);
}

export function setJobDefaults(job: JsonObject): void {
  const spec = objectMadeAt(job, 'spec');
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1;
  fill(spec, 'parallelism', 1);
  fill(spec, 'backoffLimit', spec['backoffLimitPerIndex'] === undefined ? 6 : MAX_INT32);
  fill(spec, 'completionMode', 'NonIndexed');
  fill(spec, 'suspend', false);
  fill(spec, 'manualSelector', false);
  fill(spec, 'podReplacementPolicy', spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed');
  setFailurePolicyDefaults(spec);
  const labels = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels');
  if (labels !== undefined) fillMap(objectMadeAt(job, 'metadata'), 'labels', labels);
  setTemplateDefaults(spec);
}

function setFailurePolicyDefaults(spec: JsonObject): void {
  for (const rule of objectsAt(objectAt(spec, 'podFailurePolicy'), 'rules')) {
    for (const condition of objectsAt(rule, 'onPodConditions')) fillText(condition, 'status', 'True');
  }
}

export function setCronJobDefaults(job: JsonObject): void {
  const spec = objectMadeAt(job, 'spec');
  fillText(spec, 'concurrencyPolicy', 'Allow');
  fill(spec, 'suspend', false);
  fill(spec, 'successfulJobsHistoryLimit', 3);
  fill(spec, 'failedJobsHistoryLimit', 1);
  const template = objectAt(objectAt(spec, 'jobTemplate'), 'spec');
  if (template === undefined) return;
  setFailurePolicyDefaults(template);
  setTemplateDefaults(template);
}

export function setAutoscalerDefaults(autoscaler: JsonObject): void {
  const spec = objectMadeAt(autoscaler, 'spec');
  fill(spec, 'minReplicas', 1);
  if (textAt(autoscaler, 'apiVersion') !== 'autoscaling/v2') return;
  if (objectsAt(spec, 'metrics').length === 0) {
    const target = { type: 'Utilization', averageUtilization: 80 };
    spec['metrics'] = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  }
  const behavior = objectAt(spec, 'behavior');
  if (behavior === undefined) return;
  const up = objectMadeAt(behavior, 'scaleUp');
  fill(up, 'stabilizationWindowSeconds', 0);
  fill(up, 'selectPolicy', 'Max');
  fill(up, 'policies', [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ]);
  const down = objectMadeAt(behavior, 'scaleDown');
  fill(down, 'selectPolicy', 'Max');
  fill(down, 'policies', [{ type: 'Percent', value: 100, periodSeconds: 15 }]);
}
