import type { ObjectMeta } from '../api/meta.ts';
import type { Pod, PodStatus } from '../api/pod.ts';
import { SignatureTree } from '../engine/signature/signature-tree.ts';
import { MetadataForm } from '../framework/pod-info.ts';
import { isMembers } from './known-volumes.ts';

/** The maximum number of steps in the tree of what was checked. */
const MOST_STEPS = 50_000;
/** Where a status with claims or a time begins, each of its claims, the name of a claim, and where a part ends. */
const STATUS = Symbol('status');
const CLAIM = Symbol('claim');
const NAME = Symbol('name');
const END = Symbol('end');
/** A valid time. */
const TIME = Symbol('time');

/** The form of times in UTC and whole seconds, which API servers write, on days that every month has. */
const PLAIN_TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

function isTimestamp(value: unknown): boolean {
  return typeof value === 'string' && PLAIN_TIME.test(value);
}

/**
 * The metadata and statuses of pods that were checked. Those of one controller differ in names, uids, versions and the
 * names of claims only, so that the rest is looked up by its values instead of being checked again.
 */
export class KnownMetadata {
  readonly #isName: (name: unknown) => boolean;
  readonly #tree = new SignatureTree<MetadataForm>(MOST_STEPS);
  /** The time at which the last checked pod was created, which is valid. */
  #creationTimestamp: unknown;

  /** `isName`: whether a name is valid under any rule; it may return false for valid names. */
  constructor(isName: (name: unknown) => boolean) {
    this.#isName = isName;
  }

  /** The form of a pod whose metadata and status equal those of an added one, apart from names and versions. */
  formOf(pod: Pod): MetadataForm | null {
    this.#tree.find();
    return this.#walk(pod) ? (this.#tree.value ?? null) : null;
  }

  /** Adds a pod whose metadata and status are valid and hold no null. Returns null if the form cannot be known. */
  add(pod: Pod): MetadataForm | null {
    this.#creationTimestamp = pod.metadata?.creationTimestamp;
    this.#tree.grow();
    if (!this.#walk(pod)) return null;
    this.#tree.value ??= new MetadataForm();
    return this.#tree.value;
  }

  #walk({ metadata, status, apiVersion = 'v1', kind = 'Pod' }: Pod): boolean {
    if (apiVersion !== 'v1' || kind !== 'Pod' || !this.#isName(metadata?.name)) return false;
    // Conditions hold times and messages, which rarely repeat.
    if (status?.conditions !== undefined) return false;
    return this.#walkMetadata(metadata as ObjectMeta) && this.#walkStatus(status);
  }

  #walkMetadata(metadata: ObjectMeta): boolean {
    const tree = this.#tree;
    for (const key in metadata) {
      const value: unknown = metadata[key as keyof ObjectMeta];
      if (value === undefined || key === 'name') continue;
      if (key === 'uid' || key === 'resourceVersion' || key === 'generateName') {
        if (typeof value !== 'string') return false;
      } else if (key === 'creationTimestamp') {
        if (value !== this.#creationTimestamp) return false;
      } else if (!tree.step(key) || !tree.walk(value)) return false;
    }
    return true;
  }

  #walkStatus(status: PodStatus | undefined): boolean {
    const tree = this.#tree;
    if (!Array.isArray(status?.resourceClaimStatuses) && status?.startTime === undefined) return tree.walk(status);
    if (!tree.step(STATUS)) return false;
    for (const key in status) {
      const value: unknown = status[key as keyof PodStatus];
      if (value === undefined) continue;
      if (!tree.step(key) || !this.#walkPart(key, value)) return false;
    }
    return tree.step(END);
  }

  /** Pods start at any time. */
  #walkPart(key: string, value: unknown): boolean {
    if (key === 'startTime' && isTimestamp(value)) return this.#tree.step(TIME);
    return key === 'resourceClaimStatuses' && Array.isArray(value) ? this.#walkClaims(value) : this.#tree.walk(value);
  }

  /** The names of claims may be any strings. */
  #walkClaims(claims: readonly unknown[]): boolean {
    const tree = this.#tree;
    if (!tree.beginList(claims.length)) return false;
    for (let i = 0; i < claims.length; i++) {
      const claim = claims[i];
      if (!isMembers(claim) || !tree.step(CLAIM)) return false;
      for (const key in claim) {
        const value = claim[key];
        if (value === undefined) continue;
        const isFree = key === 'resourceClaimName' && typeof value === 'string';
        if (!tree.step(key) || !(isFree ? tree.step(NAME) : tree.walk(value))) return false;
      }
      if (!tree.step(END)) return false;
    }
    return true;
  }
}
