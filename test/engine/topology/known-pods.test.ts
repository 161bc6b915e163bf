import { expect, test } from 'vitest';
import { KnownPods } from '../../../src/engine/topology/known-pods.ts';
import { MetadataForm, PodInfo, podRequirements } from '../../../src/framework/pod-info.ts';
import type { Pod } from '../../../src/index.ts';
import { makePod } from '../../builders/make-pod.ts';

const [web, db] = [{}, {}];

function infoOf(template: object | null, metadata: Pod['metadata'] = {}): PodInfo {
  const pod = makePod('any');
  const info = new PodInfo(
    { ...pod, metadata: { ...pod.metadata, labels: { app: 'a' }, ...metadata } },
    podRequirements(pod),
    '',
  );
  info.template = template;
  return info;
}

test('pods are one entry if their template, labels, owners and namespace are equal, whatever their names', () => {
  const known = new KnownPods<{ number: number }>();
  let made = 0;
  const of = (info: PodInfo): number | undefined => known.of(info, () => ({ number: ++made }))?.number;
  const owners = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'r' }];
  expect(of(infoOf(web))).toBe(1);
  expect(of(infoOf(web, { name: 'other', uid: 'u' }))).toBe(1);
  expect(of(infoOf(db))).toBe(2);
  expect(of(infoOf(web, { labels: { app: 'b' } }))).toBe(3);
  expect(of(infoOf(web, { namespace: 'other' }))).toBe(4);
  expect(of(infoOf(web, { ownerReferences: owners }))).toBe(5);
  expect(of(infoOf(web, { ownerReferences: structuredClone(owners) }))).toBe(5);
  expect(of(infoOf(web, { deletionTimestamp: '2026-01-01T00:00:00Z' }))).toBe(6);
  expect(of(infoOf(web))).toBe(1);
});

test('a pod without a template has no entry', () => {
  const known = new KnownPods<object>();
  expect(known.of(infoOf(null), () => ({}))).toBe(null);
});

test('pods with one form of metadata are one entry for each template and reader', () => {
  const form = new MetadataForm();
  const formed = (template: object, metadata: Pod['metadata'] = {}): PodInfo => {
    const info = infoOf(template, metadata);
    info.metadataForm = form;
    return info;
  };
  const [known, others] = [new KnownPods<object>(), new KnownPods<object>()];
  const entry = known.of(formed(web), () => ({}));
  expect(known.of(formed(web, { labels: { app: 'never read' } }), () => ({}))).toBe(entry);
  expect(known.of(formed(db), () => ({}))).not.toBe(entry);
  expect(others.of(formed(web), () => ({}))).not.toBe(entry);
  expect(known.of(formed(web), () => ({}))).toBe(entry);
  expect(known.of(infoOf(web), () => ({}))).toBe(entry);
});
