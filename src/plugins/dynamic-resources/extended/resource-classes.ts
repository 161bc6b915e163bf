import type { Pod } from '../../../api/pod.ts';
import type { DeviceClass } from '../../../api/resource-claims.ts';
import { DEVICE_CLASS_PREFIX, isDeviceResourceName } from '../../../api/resources.ts';
import { millisOfTime } from '../../../api/time.ts';
import type { ClusterObjects } from '../../../framework/cluster-objects.ts';
import type { ObjectFeed } from '../../../framework/object-feed.ts';
import type { PodInfo } from '../../../framework/pod-info.ts';
import { RecentMap } from '../../../lib/recent-map.ts';
import { ExtendedAsk } from './extended-ask.ts';

/**
 * The device classes by the extended resource that their devices back (upstream's ExtendedResourceCache): the one that
 * a class names, and `deviceclass.resource.kubernetes.io/<class>`. If classes name the same resource, the newer one has
 * it, then the one with the smaller name. As upstream, a class that loses when it arrives backs nothing at all.
 */
export class ResourceClasses {
  readonly #objects: ClusterObjects;
  readonly #feed: ObjectFeed;
  /** The classes as they were last seen, by name. */
  readonly #known = new Map<string, DeviceClass>();
  readonly #byResource = new Map<string, DeviceClass>();
  /** What pods ask by their extended resources, by their specs. */
  #asks = new RecentMap<object, ExtendedAsk>();
  #asksVersion = -1;

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
    this.#feed = objects.follow(['DeviceClass']);
    this.#readAll();
  }

  /** The class whose devices back the resource. */
  of(resource: string): DeviceClass | undefined {
    this.#catchUp();
    return this.#byResource.get(resource);
  }

  /** Whether devices back some resource that the pod requests. */
  backs({ requirements }: PodInfo): boolean {
    const { scalar } = requirements.requests;
    if (scalar.size === 0) return false;
    this.#catchUp();
    if (this.#byResource.size === 0) return false;
    for (const [name, amount] of scalar) {
      if (amount !== 0 && isDeviceResourceName(name) && this.#byResource.has(name)) return true;
    }
    return false;
  }

  /** What the pod asks of devices, which pods with one spec share. */
  askOf(pod: PodInfo): ExtendedAsk {
    const { version } = this;
    if (version !== this.#asksVersion) this.#asks = new RecentMap();
    this.#asksVersion = version;
    const { spec } = pod.pod;
    const known = spec === undefined ? undefined : this.#asks.get(spec);
    if (known?.requirements === pod.requirements) return known;
    const ask = new ExtendedAsk(pod, (resource) => {
      const deviceClass = this.of(resource);
      return deviceClass === undefined ? null : (deviceClass.metadata?.name ?? '');
    });
    if (spec !== undefined) this.#asks.set(spec, ask);
    return ask;
  }

  /** Whether devices may back a resource that the pod names; `backs` says so if it requests some of it. */
  backsNamed({ spec }: Pod): boolean {
    this.#catchUp();
    if (this.#byResource.size === 0) return false;
    const isBacked = (name: string): boolean => isDeviceResourceName(name) && this.#byResource.has(name);
    const lists = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map(({ resources }) => resources);
    const amounts = [spec?.overhead, ...lists.flatMap((list) => [list?.requests, list?.limits])];
    return amounts.some((list) => Object.keys(list ?? {}).some(isBacked));
  }

  /** A number that changes when other resources may be backed. */
  get version(): number {
    return this.#objects.version('DeviceClass');
  }

  #catchUp(): void {
    if (!this.#feed.hasChanges) return;
    const changes = this.#feed.take();
    if (changes === null) {
      this.#known.clear();
      this.#byResource.clear();
      this.#readAll();
      return;
    }
    for (const key of changes.keys()) this.#read(key.slice(key.indexOf('/') + 1));
  }

  #readAll(): void {
    for (const { metadata } of this.#objects.list('DeviceClass')) this.#read(metadata?.name ?? '');
  }

  #read(name: string): void {
    const before = this.#known.get(name);
    const after = this.#objects.get('DeviceClass', name);
    if (after === undefined) {
      this.#known.delete(name);
      if (before !== undefined) this.#remove(before);
      return;
    }
    this.#known.set(name, after);
    const resource = after.spec?.extendedResourceName;
    const holder = resource === undefined ? undefined : this.#byResource.get(resource);
    if (holder !== undefined && !isPreferred(after, holder)) return;
    if (before !== undefined) this.#remove(before);
    if (resource !== undefined) this.#byResource.set(resource, after);
    this.#byResource.set(DEVICE_CLASS_PREFIX + name, after);
  }

  /** As upstream, a resource is backed by nothing after one of the classes that name it has gone. */
  #remove({ metadata, spec }: DeviceClass): void {
    this.#byResource.delete(DEVICE_CLASS_PREFIX + (metadata?.name ?? ''));
    if (spec?.extendedResourceName !== undefined) this.#byResource.delete(spec.extendedResourceName);
  }
}

function isPreferred(a: DeviceClass, b: DeviceClass): boolean {
  const age = createdMillis(a) - createdMillis(b);
  return age > 0 || (age === 0 && (a.metadata?.name ?? '') < (b.metadata?.name ?? ''));
}

function createdMillis({ metadata }: DeviceClass): number {
  const { creationTimestamp } = metadata ?? {};
  return creationTimestamp ? millisOfTime(creationTimestamp) : Number.MIN_SAFE_INTEGER;
}
