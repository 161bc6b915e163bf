/** The documents by which clients find out what is served (upstream: apiserver/pkg/endpoints/discovery). */

import type { ApiResource } from '../../kinds/object/api-resource.ts';
import type { JsonObject } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import type { ResourceRegistry, ServedGroup, ServedVersion } from '../resources/resource-registry.ts';

/** `/api` */
export function coreVersions(host: string): JsonObject {
  const addresses = [{ clientCIDR: '0.0.0.0/0', serverAddress: host }];
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: addresses };
}

/** `/apis` */
export function groupList({ groups }: ResourceRegistry): JsonObject {
  const listed = groups.map((group) => groupBody(group));
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: listed };
}

/** `/apis/apps` */
export function groupDocument(group: ServedGroup): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group) };
}

function groupBody({ name, versions }: ServedGroup): JsonObject {
  const all = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: all, preferredVersion: all[0] };
}

/** `/apis/apps/v1` */
export function resourceList({ name }: ServedGroup, { version, resources }: ServedVersion): JsonObject {
  const groupVersion = name === '' ? version : `${name}/${version}`;
  // The list of the core group has no version of its own: it is older than that member.
  const head = { kind: 'APIResourceList', ...(name === '' ? {} : { apiVersion: 'v1' }), groupVersion };
  return { ...head, resources: resources.flatMap(resourceEntries) };
}

function resourceEntries({ resource }: ServedResource): JsonObject[] {
  const { shortNames, categories, storageVersionHash } = resource;
  const own: JsonObject = {
    name: resource.resource,
    singularName: resource.singular,
    namespaced: resource.isNamespaced,
    kind: resource.kind,
    verbs: [...resource.verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
  };
  const others = resource.subresources.map(
    ({ name, kind, group, version, verbs }): JsonObject => ({
      name: `${resource.resource}/${name}`,
      singularName: '',
      namespaced: resource.isNamespaced,
      ...(group === undefined ? {} : { group, version }),
      kind,
      verbs: [...verbs],
    }),
  );
  return [own, ...others];
}

/** All groups of `/api` or `/apis` in one document (aggregated discovery). */
export function aggregated(groups: readonly ServedGroup[]): JsonObject {
  const items = groups.map(({ name, versions }): JsonObject => {
    const all = versions.map(({ version, resources }): JsonObject => {
      return { version, resources: resources.map(aggregatedResource), freshness: 'Current' };
    });
    return { metadata: name === '' ? {} : { name }, versions: all };
  });
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

function aggregatedResource({ resource }: ServedResource): JsonObject {
  const { shortNames, categories, subresources, isCustom } = resource;
  const responseKind = isCustom ? fullKind(resource) : { group: '', version: '', kind: resource.kind };
  return {
    resource: resource.resource,
    responseKind,
    scope: resource.isNamespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: [...resource.verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(subresources.length === 0
      ? {}
      : {
          subresources: subresources.map(({ name, kind, group = '', version = '', verbs }) => ({
            subresource: name,
            responseKind: isCustom && group === '' ? fullKind(resource) : { group, version, kind },
            verbs: [...verbs],
          })),
        }),
  };
}

function fullKind({ group, version, kind }: ApiResource): JsonObject {
  return { group, version, kind };
}
