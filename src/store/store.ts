import type { KubernetesObject, ObjectMeta } from '../api/meta.ts';
import type { Pod } from '../api/pod.ts';
import { withPodCondition } from '../api/pod-conditions.ts';
import { type GroupFeatures, NO_GROUP_FEATURES } from '../api/pod-group-admission.ts';
import type { ResourceClaim } from '../api/resource-claims.ts';
import { timeAtMillis } from '../api/time.ts';
import { isObject, type UnknownObject } from '../api/validation/check.ts';
import type { Clock } from '../lib/clock.ts';
import { Binder } from './binding.ts';
import { Committer } from './committer.ts';
import { checkDeletion } from './deletion.ts';
import { budgetOf, EVICTED, isSpared, needsNoBudget, spend } from './eviction.ts';
import { Ledger } from './ledger/ledger.ts';
import { FIRST_KEY } from './ledger/object-key.ts';
import { Selection } from './ledger/selection.ts';
import { parseVersion, refuseFuture } from './ledger/watch-hub.ts';
import { listPage } from './list-page.ts';
import { badRequest, notFound } from './objects/api-error.ts';
import { isSame } from './objects/frozen-copy.ts';
import type { NameSource } from './objects/names.ts';
import { namespaceOf, RESOURCES, type Resource, type Resources } from './objects/resources.ts';
import type {
  Binding,
  DeleteOptions,
  List,
  ListOptions,
  Patch,
  StatusOutcome,
  StoreClient,
  Watch,
  WatchOptions,
} from './objects/store-client.ts';
import { mergePatch } from './patch/merge-patch.ts';
import { strategicMerge } from './patch/strategic-merge.ts';
import { Remover } from './remover.ts';
import { Admission } from './strategies/admission.ts';
import { newStrategies } from './strategies/strategies.ts';
import { metadataOf, Writer } from './writer.ts';

/** What a store is made of. */
export interface StoreModules {
  /** A clock that counts milliseconds since the Unix epoch. */
  readonly clock: Clock;
  readonly names: NameSource;
}

/** The limits of a store. */
export interface StoreOptions {
  /**
   * How many writes to a resource are remembered: a watch may lag behind by that many, and a list may be continued
   * across them.
   */
  readonly historyLimit?: number | undefined;
  /** Turns off the DefaultTolerationSeconds admission plugin: pods get only the tolerations that they ask for. */
  readonly withoutDefaultTolerations?: boolean | undefined;
  /** The feature gates that decide what new groups of pods get; absent: none is on. @internal */
  readonly features?: GroupFeatures | undefined;
}

/** The history that each resource keeps. Upstream: the largest capacity of a watch cache. */
const HISTORY_LIMIT = 100 * 1024;

type Apply = (resource: Resource, target: UnknownObject, body: UnknownObject) => unknown;

const APPLY: { readonly [Type in Patch['type']]: Apply } = {
  merge: (_, target, body) => mergePatch(target, body),
  strategic: strategicMerge,
};

/** Namespaces that every cluster has from the start. */
const SYSTEM_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/**
 * The API server of a cluster, in this process. A method call is a request:
 *
 *   create ─▶ name, uid, defaults, validation, admission ─┐
 *   update, patch ─▶ version, defaults, validation ───────┼─▶ commit ─▶ ledger: objects, history ─▶ watches
 *   delete, bind, evict ─▶ preconditions, the new state ──┘
 */
export class Store implements StoreClient {
  readonly #ledger: Ledger;
  readonly #writer: Writer;
  readonly #remover: Remover;
  readonly #binder: Binder;
  readonly #clock: Clock;

  constructor({ clock, names }: StoreModules, options: StoreOptions = {}) {
    const { historyLimit = HISTORY_LIMIT, withoutDefaultTolerations = false, features = NO_GROUP_FEATURES } = options;
    const ledger = new Ledger(clock, historyLimit);
    const admission = new Admission(ledger, { withoutDefaultTolerations, features });
    const strategies = newStrategies(admission, clock);
    const committer = new Committer(ledger);
    this.#ledger = ledger;
    this.#writer = new Writer({ ledger, committer, strategies, admission, names, clock });
    this.#remover = new Remover({ ledger, committer, strategies, clock });
    this.#clock = clock;
    this.#binder = new Binder(clock);
    for (const name of SYSTEM_NAMESPACES) this.create('namespaces', { metadata: { name } });
  }

  /**
   * What is stored, for the API over HTTP: it prepares and validates what clients write by rules of its own.
   *
   * @internal
   */
  get ledger(): Ledger {
    return this.#ledger;
  }

  create<R extends Resource>(resource: R, object: Resources[R]): Resources[R] {
    return this.#writer.create(known(resource), object);
  }

  get<R extends Resource>(resource: R, namespace: string, name: string): Resources[R] {
    const found = this.find(resource, namespace, name);
    if (found === undefined) throw notFound(resource, name);
    return found;
  }

  /** @internal */
  find<R extends Resource>(resource: R, namespace: string, name: string): Resources[R] | undefined {
    return this.#ledger.get(known(resource), namespaceOf(resource, namespace), name);
  }

  list<R extends Resource>(resource: R, options: ListOptions = {}): List<Resources[R]> {
    const { version } = this.#ledger;
    const { limit, continue: token } = options;
    const wanted = parseVersion(options.resourceVersion ?? '');
    if (token && wanted > 0) throw badRequest('specifying resource version is not allowed when using continue');
    refuseFuture(wanted, version);
    const selection = new Selection(known(resource), options);
    const objects = this.#ledger.objects(resource);
    return listPage(objects, this.#ledger.hub(resource).history, { selection, version, limit, continue: token });
  }

  watch<R extends Resource>(resource: R, options: WatchOptions): Watch<Resources[R]> {
    return this.#ledger.hub(known(resource)).watch(options, (selection) => {
      const objects = this.#ledger.objects(resource).sortedFrom(selection.namespace, FIRST_KEY, selection.name);
      return [...objects].filter((object) => selection.matches(object));
    });
  }

  update<R extends Resource>(resource: R, object: Resources[R]): Resources[R] {
    return this.#writer.update(resource, object, this.#named(resource, object), 'rest');
  }

  updateStatus<R extends Resource>(resource: R, object: Resources[R], outcome?: StatusOutcome): Resources[R] {
    const stored = this.#named(resource, object);
    if (outcome !== undefined && object.metadata === stored.metadata) {
      if (isPodOf(resource, stored, outcome)) {
        if (isSame(outcome.after, outcome.before)) return stored;
        return this.#writer.updateFrozenStatus(stored, outcome.after) as Resources[R];
      }
      const known: KubernetesObject = stored;
      const claim =
        resource === 'resourceclaims' ? this.#writer.updateFrozenClaim(known as ResourceClaim, outcome.after) : null;
      if (claim !== null) return claim as Resources[R];
    }
    return this.#writer.update(resource, object, stored, 'status');
  }

  patch<R extends Resource>(
    resource: R,
    namespace: string,
    name: string,
    patch: Patch,
    subresource?: 'status',
  ): Resources[R] {
    const stored = this.get(resource, namespace, name);
    const { outcome } = patch;
    if (outcome !== undefined && subresource === 'status' && isPodOf(resource, stored, outcome)) {
      return this.#writer.updateFrozenStatus(stored, outcome.after) as Resources[R];
    }
    const { type, body } = patch;
    if (!isObject(body)) throw badRequest('a patch must be an object');
    if (!Object.hasOwn(APPLY, type)) throw badRequest(`unknown patch type ${JSON.stringify(type)}`);
    if (subresource !== undefined && subresource !== 'status') {
      throw badRequest(`unknown subresource ${JSON.stringify(subresource)}`);
    }
    const patched = APPLY[type](resource, stored as UnknownObject, body) as Resources[R];
    refuseOtherName(metadataOf(patched), metadataOf(stored));
    return this.#writer.update(resource, patched, stored, subresource ?? 'rest');
  }

  /**
   * The subresource `resize` of a pod: replaces the resources of its containers and nothing else.
   *
   * @throws ApiError NotFound, Conflict, Invalid
   */
  resize(pod: Pod): Pod {
    return this.#writer.resize(pod, this.#named('pods', pod));
  }

  delete<R extends Resource>(resource: R, namespace: string, name: string, options: DeleteOptions = {}): void {
    this.#remover.delete(resource, this.get(resource, namespace, name), options);
  }

  bind(namespace: string, podName: string, binding: Binding): Pod {
    const pod = this.get('pods', namespace, podName);
    const bound = this.#binder.bound(pod, binding, this.#ledger.nextVersion);
    this.#ledger.replace('pods', bound, pod);
    return bound;
  }

  evict(namespace: string, podName: string, options: DeleteOptions = {}): void {
    const pod = this.get('pods', namespace, podName);
    checkDeletion('pods', pod, options);
    if (!needsNoBudget(pod)) {
      const budgets = this.#ledger.objects('poddisruptionbudgets').values(pod.metadata?.namespace);
      const budget = budgetOf(pod, budgets);
      if (budget !== undefined && !isSpared(pod, budget)) {
        const spent = spend(budget, podName, timeAtMillis(this.#clock.nowMillis()));
        this.#writer.update('poddisruptionbudgets', spent, budget, 'status');
      }
    }
    const status = withPodCondition(pod.status ?? {}, EVICTED, this.#clock.nowMillis());
    const marked = this.#writer.update('pods', { ...pod, status }, pod, 'status');
    // Marking the pod has changed its version, so the preconditions that were checked before must not be checked again.
    this.#remover.delete('pods', marked, { ...options, preconditions: undefined });
  }

  /** The stored object with the same name. @throws ApiError */
  #named<R extends Resource>(resource: R, object: Resources[R]): Resources[R] {
    const { namespace = '', name = '' } = metadataOf(object);
    if (name === '') throw badRequest('metadata.name: name must be provided');
    return this.get(resource, namespace, name);
  }
}

/** Refuses a patch that would rename the object. Upstream: checkName in apiserver/pkg/endpoints/handlers/rest.go. */
function refuseOtherName(given: ObjectMeta, { name = '', namespace }: ObjectMeta): void {
  if (!given.name) throw badRequest(`the name of the object (${name} based on URL) was undeterminable: no name`);
  if (given.name !== name) {
    throw badRequest(`the name of the object (${String(given.name)}) does not match the name on the URL (${name})`);
  }
  if (!namespace || !given.namespace || given.namespace === namespace) return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

function isPodOf(resource: Resource, object: KubernetesObject, { uid, before }: StatusOutcome): object is Pod {
  if (uid !== undefined && uid !== object.metadata?.uid) return false;
  return resource === 'pods' && (object as Pod).status === before;
}

const KNOWN: ReadonlySet<string> = new Set(Object.keys(RESOURCES));

/** @throws ApiError BadRequest */
function known<R extends Resource>(resource: R): R {
  if (!KNOWN.has(resource)) throw badRequest(`unknown resource ${JSON.stringify(resource)}`);
  return resource;
}
