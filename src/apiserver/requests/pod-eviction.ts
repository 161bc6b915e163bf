/** POST of an Eviction to a pod (upstream: pkg/registry/core/pod/storage/eviction.go). */
import type { Pod } from '../../api/pod.ts';
import { withPodCondition } from '../../api/pod-conditions.ts';
import type { PodDisruptionBudget } from '../../api/pod-disruption-budget.ts';
import { timeAtMillis } from '../../api/time.ts';
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';
import { badRequest, notFound, unclassified } from '../../kinds/object/refusals.ts';
import { StatusError } from '../../kinds/object/status-error.ts';
import { budgetOf, EVICTED, isSpared, needsNoBudget, spend } from '../../store/eviction.ts';
import { ApiError } from '../../store/objects/api-error.ts';
import type { Answer, ResourceRequest } from '../context/context.ts';
import { deleteObject } from './delete.ts';
import { checkedOptions, optionsOf } from './delete-options.ts';
import { created } from './pod-binding.ts';
import { writeOptions } from './query.ts';
import { readObject } from './read-object.ts';

const RETRY_SECONDS = 10;

/** @throws StatusError */
export function evict(asked: ResourceRequest): Answer {
  const { modules, request, served, namespace, name } = asked;
  const options = writeOptions(request.query, 'CreateOptions');
  const eviction = readEviction(asked, options.fieldValidation);
  if (eviction.metadata?.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  const wanted = checkedOptions(optionsOf((eviction['deleteOptions'] ?? {}) as JsonObject));
  const deletion = { ...wanted, isDryRun: wanted.isDryRun || options.isDryRun };
  const pod = modules.storages.of(served).get(namespace, name);
  if (pod === undefined) throw notFound(served.resource, name);
  if (!needsNoBudget(pod as unknown as Pod)) spendBudget(asked, pod, deletion.isDryRun);
  if (!deletion.isDryRun) markEvicted(asked, pod);
  deleteObject(asked, namespace, name, deletion);
  return { type: 'object', status: 201, object: created() };
}

/** An Eviction of the old version is read as well. */
function readEviction({ modules, request }: ResourceRequest, fieldValidation: 'Ignore' | 'Warn' | 'Strict'): ApiObject {
  const schema = modules.registry.schemaOf('policy', 'v1', 'Eviction');
  if (schema === undefined) throw unclassified('evictions are not served');
  const body = request.body.replace(/("apiVersion"\s*:\s*")policy\/v1beta1"/, '$1policy/v1"');
  return readObject(modules, { ...request, body }, schema, fieldValidation).object;
}

function spendBudget({ modules, namespace, name }: ResourceRequest, pod: ApiObject, isDryRun: boolean): void {
  const served = modules.registry.find('policy', 'v1', 'poddisruptionbudgets');
  if (served === undefined) return;
  const storage = modules.storages.of(served);
  try {
    const budgets = [...storage.from(namespace)] as unknown as PodDisruptionBudget[];
    const budget = budgetOf(pod as unknown as Pod, budgets);
    if (budget === undefined || isSpared(pod as unknown as Pod, budget)) return;
    const spent = spend(budget, name, timeAtMillis(modules.clock.nowMillis()));
    if (!isDryRun) storage.replace(spent as unknown as ApiObject, budget as unknown as ApiObject);
  } catch (error) {
    throw error instanceof ApiError ? asStatus(error) : error;
  }
}

function asStatus({ reason, statusCode, message, causes }: ApiError): StatusError {
  if (reason === 'InternalError') return unclassified(message.replace('Internal error occurred: ', ''));
  const isProcessed = causes.some((cause) => cause.message.includes('still being processed'));
  return new StatusError(statusCode, reason, message, {
    causes,
    ...(isProcessed ? { retryAfterSeconds: RETRY_SECONDS } : {}),
  });
}

function markEvicted({ modules, served }: ResourceRequest, pod: ApiObject): void {
  const status = withPodCondition((pod['status'] ?? {}) as never, EVICTED, modules.clock.nowMillis());
  const marked = { ...pod, status: status as unknown as JsonObject };
  served.schema.setDefaults(marked);
  modules.storages.of(served).replace(marked, pod);
}
