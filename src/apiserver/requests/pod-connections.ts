/** Logs and connections of pods: there are no containers behind this API, so most of them say that. */
import { invalidValue } from '../../kinds/object/field-errors.ts';
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';
import { badRequest, invalid, notFound } from '../../kinds/object/refusals.ts';
import type { Answer, ResourceRequest } from '../context/context.ts';
import { integerIn } from './query.ts';

function podOf({ modules, served, namespace, name }: ResourceRequest): ApiObject {
  const pod = modules.storages.of(served).get(namespace, name);
  if (pod === undefined) throw notFound(served.resource, name);
  return pod;
}

/** GET of a pod's log, which is empty. @throws StatusError */
export function getLog(asked: ResourceRequest): Answer {
  const { query } = asked.request;
  checkSinceTime(query.get('sinceTime'));
  const lines = integerIn(query, 'tailLines');
  if (lines !== undefined && lines < 0) {
    const error = invalidValue('tailLines', lines, 'must be greater than or equal to 0');
    throw invalid({ group: '', kind: 'PodLogOptions' }, asked.name, [error]);
  }
  const pod = podOf(asked);
  checkContainer(pod, query.get('container') ?? '');
  const { nodeName = '' } = (pod['spec'] ?? {}) as JsonObject;
  // A pod on a node has a log, in which nothing was ever written.
  if (nodeName === '') return { type: 'text', status: 204, text: '' };
  return { type: 'text', status: 200, text: '', contentType: 'text/plain' };
}

function checkSinceTime(text: string | null): void {
  if (text === null || !Number.isNaN(Date.parse(text))) return;
  const layout = '2006-01-02T15:04:05Z07:00';
  throw badRequest(
    `parsing time ${JSON.stringify(text)} as "${layout}": cannot parse ${JSON.stringify(text)} as "2006"`,
  );
}

function checkContainer(pod: ApiObject, container: string): void {
  const {
    containers = [],
    initContainers = [],
    ephemeralContainers = [],
  } = (pod['spec'] ?? {}) as Record<string, JsonObject[]>;
  const name = pod.metadata?.name ?? '';
  const names = containers.map((one) => String(one['name']));
  if (container !== '') {
    const all = [...containers, ...initContainers, ...ephemeralContainers];
    if (all.some((one) => one['name'] === container)) return;
    throw badRequest(`container ${container} is not valid for pod ${name}`);
  }
  if (names.length < 2) return;
  const inits = initContainers.map((one) => String(one['name']));
  const others = inits.length === 0 ? '' : ` or one of the init containers: [${inits.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]${others}`);
}

/** A request to run something in a pod. @throws StatusError */
export function connect(asked: ResourceRequest): Answer {
  const pod = podOf(asked);
  const { nodeName = '' } = (pod['spec'] ?? {}) as JsonObject;
  if (nodeName === '') throw badRequest(`pod ${asked.name} does not have a host assigned`);
  throw badRequest(`pod ${asked.name} is simulated: it has no container to connect to`);
}

/** A request to a node, service or pod behind the API. @throws StatusError */
export function proxy(asked: ResourceRequest): Answer {
  const { kind } = asked.served.resource;
  const object = podOf(asked);
  if (kind === 'Node') throw badRequest(`lookup ${object.metadata?.name} on 10.255.255.53:53: no such host`);
  throw badRequest('address not allowed');
}
