import {
  defaultStorageClassName,
  withDefaultTolerations,
  withPriority,
  withStorageClass,
} from '../../api/admission.ts';
import type { Pod, PodSpec } from '../../api/pod.ts';
import type { PodGroup } from '../../api/pod-group.ts';
import { type GroupFeatures, withGroupPriority, withProtection } from '../../api/pod-group-admission.ts';
import type { PriorityClass } from '../../api/priority-class.ts';
import type { PersistentVolumeClaim } from '../../api/storage.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { forbidden, notFound } from '../objects/api-error.ts';
import type { Resource } from '../objects/resources.ts';

export interface AdmissionOptions {
  readonly withoutDefaultTolerations: boolean;
  readonly features: GroupFeatures;
}

/** Checks and completes a request by looking at other objects, as the admission plugins of the API server do. */
export class Admission {
  readonly #ledger: Ledger;
  readonly #options: AdmissionOptions;
  #classesAt = -1;
  #priorityClasses: ReadonlyMap<string, PriorityClass> = new Map();
  #globalDefault: PriorityClass | null = null;

  constructor(ledger: Ledger, options: AdmissionOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  /**
   * Refuses new objects in a namespace that does not exist or is being deleted. @throws ApiError NotFound, Forbidden
   */
  namespace(resource: Resource, namespace: string, name: string): void {
    const found = this.#ledger.get('namespaces', '', namespace);
    if (found === undefined) throw notFound('namespaces', namespace);
    if (found.metadata?.deletionTimestamp === undefined) return;
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
    const message = `namespace ${namespace} is being terminated`;
    throw forbidden(resource, name, why, [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }]);
  }

  /** A number that changes whenever the result of `priority` may change. */
  get prioritiesEpoch(): number {
    return this.#ledger.hub('priorityclasses').history.end;
  }

  /** The pod with the priority of its class. @throws ApiError Forbidden */
  priority(pod: Pod): Pod {
    this.#readPriorityClasses();
    const admitted = withPriority(pod, this.#priorityClasses, this.#globalDefault);
    if (admitted !== null) return admitted;
    const why = `no PriorityClass with name ${pod.spec?.priorityClassName} was found`;
    throw forbidden('pods', pod.metadata?.name ?? '', why);
  }

  /** The group as new groups are kept. @throws ApiError Forbidden */
  podGroup(group: PodGroup): PodGroup {
    const { features } = this.#options;
    const protectedGroup = features.GenericWorkload ? withProtection(group) : group;
    // A group with a priority was admitted before, as a pod with one.
    if (!features.WorkloadAwarePreemption || group.spec?.priority !== undefined) return protectedGroup;
    this.#readPriorityClasses();
    const admitted = withGroupPriority(protectedGroup, this.#priorityClasses, this.#globalDefault);
    if (typeof admitted !== 'string') return admitted;
    throw forbidden('podgroups', group.metadata?.name ?? '', admitted);
  }

  tolerations(spec: PodSpec): PodSpec {
    return this.#options.withoutDefaultTolerations ? spec : withDefaultTolerations(spec);
  }

  /** The claim with the default class, if it names none. */
  storageClass(claim: PersistentVolumeClaim): PersistentVolumeClaim {
    return withStorageClass(claim, defaultStorageClassName(this.#ledger.objects('storageclasses').values()));
  }

  #readPriorityClasses(): void {
    if (this.#classesAt === this.prioritiesEpoch) return;
    this.#classesAt = this.prioritiesEpoch;
    const classes = [...this.#ledger.objects('priorityclasses').values()];
    this.#priorityClasses = new Map(classes.map((each) => [each.metadata?.name ?? '', each]));
    this.#globalDefault = lowest(classes.filter(({ globalDefault }) => globalDefault === true));
  }
}

/**
 * The default class with the lowest value: two classes that were created concurrently may both be marked as the
 * default.
 */
function lowest(classes: readonly PriorityClass[]): PriorityClass | null {
  return classes.reduce<PriorityClass | null>((best, each) => (best && best.value <= each.value ? best : each), null);
}
