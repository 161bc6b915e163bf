import type { ControllerRevision } from '../../api/controller-revision.ts';
import type { Selector } from '../../api/label-selector.ts';
import type { Pod } from '../../api/pod.ts';
import type { StatefulSet } from '../../api/stateful-set.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { BY_CONTROLLER, controllerKeys } from '../job/pod-indexes.ts';
import { nextAvailableMillis } from '../owned-pods/availability.ts';
import { PodOwnerController, type PodOwnerModules } from '../owned-pods/pod-owner-controller.ts';
import { currentRevision, nameOf, revisionsOf, truncateHistory } from '../revisions/controller-revisions.ts';
import { PodClaims } from './pod-claims.ts';
import { isMemberOf, podRevisionOf } from './stateful-pod.ts';
import { observedStatefulStatus, type Revisions } from './stateful-set-status.ts';
import { StatefulSetSync } from './stateful-set-sync.ts';

const KIND = { resource: 'statefulsets', apiVersion: 'apps/v1', kind: 'StatefulSet', title: 'stateful set' } as const;

/** A label of a revision: the hash of its data. */
const HASH_KEY = 'controller.kubernetes.io/hash';

/** Keeps pods with names and claims of their own. Upstream: pkg/controller/statefulset/stateful_set.go. */
export class StatefulSetController extends PodOwnerController<StatefulSet> {
  readonly #revisions: Lister<ControllerRevision>;
  readonly #podClaims: PodClaims;

  constructor(modules: PodOwnerModules) {
    super(modules, KIND, modules.informers.of('statefulsets'));
    const revisions = modules.informers.of('controllerrevisions');
    const claims = modules.informers.of('persistentvolumeclaims');
    this.#revisions = revisions.lister;
    revisions.addIndex(BY_CONTROLLER, controllerKeys);
    this.#podClaims = new PodClaims({ ...modules, claims: claims.lister });
    this.awaitCache(revisions);
    this.awaitCache(claims);
  }

  protected override syncOwner(key: string, set: StatefulSet, selector: Selector): void {
    const { client, recorder, loop } = this.modules;
    const pods = this.claim(set, selector, (pod) => isMemberOf(set, pod));
    const all = revisionsOf(client, this.#revisions, this.asOwner(set), selector);
    const revisions = this.#currentRevisions(set, all);
    const nowMillis = loop.nowMillis();
    try {
      if (set.metadata?.deletionTimestamp === undefined) {
        new StatefulSetSync({ client, recorder, podClaims: this.#podClaims, nowMillis }, set, pods, revisions).run();
      }
    } finally {
      this.writeStatus(key, set, set.status, observedStatefulStatus(set, pods, revisions, nowMillis));
    }
    this.#truncate(set, pods, all, revisions);
    const againMillis = nextAvailableMillis(pods, set.spec?.minReadySeconds ?? 0, nowMillis);
    if (againMillis !== undefined) this.queue.addAfter(key, againMillis - nowMillis);
  }

  /** Upstream: getStatefulSetRevisions. */
  #currentRevisions(set: StatefulSet, all: readonly ControllerRevision[]): Revisions {
    const { template = {} } = set.spec ?? {};
    const { collisionCount: before = 0, currentRevision: currentName } = set.status ?? {};
    const { revision: update, collisionCount } = currentRevision(
      { client: this.modules.client, owner: this.asOwner(set), collisionCount: before, hashKey: HASH_KEY },
      all,
      template,
    );
    return { current: all.find((each) => nameOf(each) === currentName) ?? update, update, collisionCount };
  }

  #truncate(set: StatefulSet, pods: readonly Pod[], all: readonly ControllerRevision[], revisions: Revisions): void {
    const { revisionHistoryLimit } = set.spec ?? {};
    if (revisionHistoryLimit === undefined) return;
    const used = new Set([nameOf(revisions.current), nameOf(revisions.update), ...pods.map(podRevisionOf)]);
    const unused = all.filter((revision) => !used.has(nameOf(revision)));
    truncateHistory(this.modules.client, unused, unused.length - revisionHistoryLimit);
  }
}
