import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { type ApiMetadata, type ApiObject, isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';

/**
 * Autoscalers of `autoscaling/v1` and `v2` (pkg/apis/autoscaling/v1/conversion.go): what version 1 has no members for
 * stands in annotations.
 */
const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`;
const CURRENT_METRICS = `${PREFIX}current-metrics`;
const BEHAVIOR = `${PREFIX}behavior`;
const CONDITIONS = `${PREFIX}conditions`;

export function autoscalerToV1(object: ApiObject): ApiObject {
  const { metrics: _, behavior, ...spec } = objectAt(object, 'spec') ?? {};
  const metrics = objectsAt(objectAt(object, 'spec'), 'metrics');
  const cpu = metrics.find(isCpu);
  const others = metrics.filter((metric) => !isCpu(metric)).map(metricToV1);
  const { currentMetrics: __, conditions: ___, ...status } = objectAt(object, 'status') ?? {};
  const conditions = objectsAt(objectAt(object, 'status'), 'conditions');
  const measured = objectsAt(objectAt(object, 'status'), 'currentMetrics');
  const current = measured.find((metric) => textAt(objectAt(metric, 'resource'), 'name') === 'cpu');
  const used = objectAt(objectAt(current, 'resource'), 'current')?.['averageUtilization'];
  const annotations: Record<string, string> = { ...object.metadata?.annotations };
  if (others.length > 0) annotations[METRICS] = JSON.stringify(others);
  if (measured.length > 0) annotations[CURRENT_METRICS] = JSON.stringify(measured.map(statusToV1));
  if (behavior !== undefined) annotations[BEHAVIOR] = JSON.stringify(behavior);
  if (conditions.length > 0) annotations[CONDITIONS] = JSON.stringify(conditions);
  const target = objectAt(objectAt(cpu, 'resource'), 'target')?.['averageUtilization'];
  return {
    ...object,
    metadata: withAnnotations(object.metadata, annotations),
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: { ...status, ...(used === undefined ? {} : { currentCPUUtilizationPercentage: used }) },
  };
}

export function autoscalerToV2(object: ApiObject): ApiObject {
  const { targetCPUUtilizationPercentage: percent, ...spec } = objectAt(object, 'spec') ?? {};
  const { currentCPUUtilizationPercentage: used, ...status } = objectAt(object, 'status') ?? {};
  const {
    [METRICS]: metrics,
    [CURRENT_METRICS]: measured,
    [BEHAVIOR]: behavior,
    [CONDITIONS]: conditions,
    ...annotations
  } = {
    ...object.metadata?.annotations,
  };
  const cpu =
    percent === undefined ? [] : [resourceMetric('target', { type: 'Utilization', averageUtilization: percent })];
  const all = [...cpu, ...listIn(metrics).map(metricToV2)];
  const cpuUse = used === undefined ? [] : [resourceMetric('current', { averageUtilization: used })];
  const current = measured === undefined ? cpuUse : listIn(measured).map(statusToV2);
  const kept = parsed(behavior);
  const states = listIn(conditions);
  return {
    ...object,
    metadata: withAnnotations(object.metadata, annotations),
    spec: { ...spec, ...(all.length === 0 ? {} : { metrics: all }), ...(kept === undefined ? {} : { behavior: kept }) },
    status: {
      ...status,
      ...(current.length === 0 ? {} : { currentMetrics: current }),
      ...(states.length === 0 ? {} : { conditions: states }),
    },
  };
}

function resourceMetric(name: 'target' | 'current', value: JsonObject): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', [name]: value } };
}

function withAnnotations(metadata: ApiMetadata | undefined, annotations: Record<string, string>): ApiMetadata {
  const { annotations: _, ...rest } = { ...metadata } as ApiMetadata;
  return (Object.keys(annotations).length === 0 ? rest : { ...rest, annotations }) as ApiMetadata;
}

function parsed(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function listIn(text: string | undefined): JsonObject[] {
  const value = parsed(text);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The one metric that version 1 has a member for. */
function isCpu(metric: JsonObject): boolean {
  const resource = objectAt(metric, 'resource');
  const isUtilization = objectAt(resource, 'target')?.['averageUtilization'] !== undefined;
  return textAt(metric, 'type') === 'Resource' && textAt(resource, 'name') === 'cpu' && isUtilization;
}

/** Where a source of metrics has its name, and the object that it is about, in version 1. */
const SOURCES: Readonly<Record<string, string>> = {
  ...{ Resource: 'resource', ContainerResource: 'containerResource', Pods: 'pods', Object: 'object' },
  External: 'external',
};

function metricToV1(metric: JsonObject): JsonObject {
  const type = textAt(metric, 'type');
  const member = SOURCES[type] ?? '';
  const source = objectAt(metric, member) ?? {};
  const target = objectAt(source, 'target') ?? {};
  const { averageUtilization, averageValue, value } = target;
  if (type === 'Resource' || type === 'ContainerResource') {
    const { target: _, ...named } = source;
    return { type, [member]: defined({ ...named, ...targets(averageUtilization, averageValue) }) };
  }
  const { name: metricName, selector } = objectAt(source, 'metric') ?? {};
  if (type === 'Object') {
    const about = { target: source['describedObject'], metricName, targetValue: value ?? '0', selector, averageValue };
    return { type, object: defined(about) };
  }
  if (type === 'Pods') return { type, pods: defined({ metricName, targetAverageValue: averageValue, selector }) };
  const external = { metricName, metricSelector: selector, targetValue: value, targetAverageValue: averageValue };
  return { type, external: defined(external) };
}

function targets(averageUtilization: JsonValue | undefined, averageValue: JsonValue | undefined) {
  return { targetAverageUtilization: averageUtilization, targetAverageValue: averageValue };
}

function metricToV2(metric: JsonObject): JsonObject {
  const type = textAt(metric, 'type');
  const member = SOURCES[type] ?? '';
  const source = objectAt(metric, member) ?? {};
  const { metricName: name, selector, metricSelector, targetAverageUtilization, targetAverageValue } = source;
  if (type === 'Resource' || type === 'ContainerResource') {
    const { targetAverageUtilization: _, targetAverageValue: __, ...named } = source;
    const target =
      targetAverageUtilization === undefined
        ? { type: 'AverageValue', averageValue: targetAverageValue }
        : { type: 'Utilization', averageUtilization: targetAverageUtilization };
    return { type, [member]: { ...named, target: defined(target) } };
  }
  const about = { metric: defined({ name, selector: selector ?? metricSelector }) };
  const average = type === 'Object' ? source['averageValue'] : targetAverageValue;
  const target =
    average === undefined
      ? { type: 'Value', value: source['targetValue'] }
      : { type: 'AverageValue', averageValue: average };
  const described = type === 'Object' ? { describedObject: source['target'] ?? {} } : {};
  return { type, [member]: { ...described, ...about, target: defined(target) } };
}

/** What was measured has the same members as the metric, with `current` in place of `target`. */
function statusToV1(status: JsonObject): JsonObject {
  const type = textAt(status, 'type');
  const member = SOURCES[type] ?? '';
  const source = objectAt(status, member) ?? {};
  const { averageUtilization, averageValue, value } = objectAt(source, 'current') ?? {};
  if (type === 'Resource' || type === 'ContainerResource') {
    const { current: _, ...named } = source;
    const currents = {
      currentAverageUtilization: averageUtilization,
      currentAverageValue: averageValue ?? '0',
    };
    return { type, [member]: defined({ ...named, ...currents }) };
  }
  const { name: metricName, selector } = objectAt(source, 'metric') ?? {};
  if (type === 'Object') {
    const about = { target: source['describedObject'], metricName, currentValue: value ?? '0', selector, averageValue };
    return { type, object: defined(about) };
  }
  if (type === 'Pods') {
    return { type, pods: defined({ metricName, currentAverageValue: averageValue ?? '0', selector }) };
  }
  const external = { metricName, metricSelector: selector, currentValue: value ?? '0' };
  return { type, external: defined({ ...external, currentAverageValue: averageValue }) };
}

function statusToV2(status: JsonObject): JsonObject {
  const type = textAt(status, 'type');
  const member = SOURCES[type] ?? '';
  const { metricName: name, selector, metricSelector, target, ...source } = objectAt(status, member) ?? {};
  const { currentAverageUtilization, currentAverageValue, currentValue, averageValue, ...named } = source;
  const current = defined({
    value: currentValue,
    averageValue: averageValue ?? currentAverageValue,
    averageUtilization: currentAverageUtilization,
  });
  if (type === 'Resource' || type === 'ContainerResource') return { type, [member]: { ...named, current } };
  const about = { metric: defined({ name, selector: selector ?? metricSelector }), current };
  return { type, [member]: type === 'Object' ? { ...about, describedObject: target ?? {} } : about };
}

function defined(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}
