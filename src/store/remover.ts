import type { ObjectMeta } from '../api/meta.ts';
import type { Namespace } from '../api/workloads.ts';
import { checkDeletion, markedNow, planDeletion } from './deletion.ts';
import { forbidden } from './objects/api-error.ts';
import { frozenCopy, isSame } from './objects/frozen-copy.ts';
import { withMetadata } from './objects/metadata.ts';
import type { Resource, Resources } from './objects/resources.ts';
import type { DeleteOptions } from './objects/store-client.ts';
import type { WriterModules } from './writer.ts';

/** Namespaces that cannot be deleted. Upstream: the NamespaceLifecycle admission plugin. */
const IMMORTAL_NAMESPACES: ReadonlySet<string> = new Set(['default', 'kube-public', 'kube-system']);

export type RemoverModules = Pick<WriterModules, 'ledger' | 'committer' | 'strategies' | 'clock'>;

/**
 * Carries out deletes: it marks an object that has to wait for a grace period or a finalizer, and removes any other.
 */
export class Remover {
  readonly #modules: RemoverModules;

  constructor(modules: RemoverModules) {
    this.#modules = modules;
  }

  /** @throws ApiError */
  delete<R extends Resource>(resource: R, stored: Resources[R], options: DeleteOptions): void {
    checkDeletion(resource, stored, options);
    if (resource === 'namespaces') this.#deleteNamespace(stored as Namespace, options);
    else this.#deleteObject(resource, stored, options);
  }

  /** `marks`: members besides the metadata that a marked object gets, frozen. */
  #deleteObject<R extends Resource>(resource: R, stored: Resources[R], options: DeleteOptions, marks?: object): void {
    const { committer, strategies, clock, ledger } = this.#modules;
    const { nextVersion } = ledger;
    const plan = { clock, nextVersion };
    const { metadata, isRemoved } = planDeletion<Resources[R]>(stored, strategies[resource], options, plan);
    let latest = stored;
    if (metadata !== undefined && !isMarkedSo(metadata, stored.metadata)) {
      const marked = withMetadata(marks === undefined ? stored : { ...stored, ...marks }, metadata);
      latest = committer.replace(resource, Object.freeze(marked) as Resources[R], stored);
    }
    if (isRemoved) committer.remove(resource, latest);
  }

  /**
   * Deletes the content of a namespace, and the namespace itself with its last object. (Upstream this is the work of
   * the namespace controller.)
   */
  #deleteNamespace(stored: Namespace, options: DeleteOptions): void {
    const { committer, ledger, clock } = this.#modules;
    const { metadata = {} } = stored;
    const name = metadata.name ?? '';
    if (IMMORTAL_NAMESPACES.has(name)) throw forbidden('namespaces', name, 'this namespace may not be deleted');
    const status = { ...stored.status, phase: 'Terminating' };
    if (committer.contentOf(name).length === 0) {
      this.#deleteObject('namespaces', stored, options, { status: frozenCopy(status, stored.status) });
      return;
    }
    const next = frozenCopy({ ...stored, metadata: markedNow(metadata, clock), status }, stored);
    if (next !== stored) committer.replace('namespaces', next, stored);
    for (const resource of committer.contentOf(name)) {
      const objects = [...ledger.objects(resource).sortedFrom(name, { namespace: name, name: '' })];
      for (const object of objects) this.#deleteObject(resource, object, { propagationPolicy: 'Background' });
    }
  }
}

/** Whether the marked metadata is what is stored. The first mark of an object always is news. */
function isMarkedSo(marked: ObjectMeta, stored: ObjectMeta | undefined): boolean {
  return stored?.deletionTimestamp !== undefined && isSame(marked, stored);
}
