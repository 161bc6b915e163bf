import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import type { JsonObject } from '../object/json.ts';

const SHOWN_MAX = 2;
const UNKNOWN = '<unknown>';

/** Where the metric of each type is; those that belong to containers and pods have a name before their values. */
const SOURCES: Readonly<Record<string, { readonly member: string; readonly isNamed: boolean }>> = {
  External: { member: 'external', isNamed: false },
  Pods: { member: 'pods', isNamed: false },
  Object: { member: 'object', isNamed: false },
  Resource: { member: 'resource', isNamed: true },
  ContainerResource: { member: 'containerResource', isNamed: true },
};

/** `cpu: 50%/80%, 3/10 + 1 more...`: what an autoscaler measured, and its targets. Upstream: formatHPAMetrics. */
export function metricsText(autoscaler: JsonObject): string {
  const current = objectsAt(objectAt(autoscaler, 'status'), 'currentMetrics');
  const texts = objectsAt(objectAt(autoscaler, 'spec'), 'metrics').map((metric, i) => metricText(metric, current[i]));
  if (texts.length === 0) return '<none>';
  const shown = texts.slice(0, SHOWN_MAX).join(', ');
  return texts.length > SHOWN_MAX ? `${shown} + ${texts.length - SHOWN_MAX} more...` : shown;
}

function metricText(metric: JsonObject, status: JsonObject | undefined): string {
  const source = SOURCES[textAt(metric, 'type')];
  if (source === undefined) return '<unknown type>';
  const spec = objectAt(metric, source.member);
  const target = objectAt(spec, 'target');
  const found = objectAt(status, source.member);
  const current = objectAt(found, 'current');
  if (source.isNamed) return `${textAt(spec, 'name')}: ${resourceText(target, current)}`;
  const isAverage = source.member === 'pods' || target?.['averageValue'] !== undefined;
  const value = isAverage ? 'averageValue' : 'value';
  const values = `${textAt(current, value) || (current === undefined ? UNKNOWN : '0')}/${textAt(target, value)}`;
  return isAverage && source.member !== 'pods' ? `${values} (avg)` : values;
}

function resourceText(target: JsonObject | undefined, current: JsonObject | undefined): string {
  const value = target?.['averageValue'];
  if (value !== undefined) return `${textAt(current, 'averageValue') || UNKNOWN}/${String(value)}`;
  const percent = (part: JsonObject | undefined, otherwise: string): string =>
    part?.['averageUtilization'] === undefined ? otherwise : `${String(part['averageUtilization'])}%`;
  return `${percent(current, UNKNOWN)}/${percent(target, '<auto>')}`;
}
