import { expect, test } from 'vitest';
import type { Container } from '../../src/api/pod.ts';
import { defaultPodTemplate } from '../../src/api/pod-template.ts';

const containerOf = (container: Container): Container | undefined =>
  defaultPodTemplate({ spec: { containers: [container] } }).spec?.containers?.[0];

test('a template gets what its pods’ nodes will read', () => {
  const { spec } = defaultPodTemplate({ spec: { containers: [{ name: 'a', image: 'app:1' }], initContainers: [] } });
  expect(spec).toEqual({
    containers: [
      {
        name: 'a',
        image: 'app:1',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    initContainers: [],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
});

test('what is given stays', () => {
  const spec = {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 0,
    dnsPolicy: 'None',
    securityContext: { runAsUser: 7 },
    schedulerName: 'mine',
    containers: [
      {
        name: 'a',
        resources: { requests: { cpu: '1' } },
        terminationMessagePath: '/x',
        terminationMessagePolicy: 'FallbackToLogsOnError',
        imagePullPolicy: 'Never',
      },
    ],
  };
  expect(defaultPodTemplate({ metadata: { labels: { a: 'b' } }, spec })).toEqual({
    metadata: { labels: { a: 'b' } },
    spec,
  });
});

test.each([
  ['app', 'Always'],
  ['app:latest', 'Always'],
  ['app:1', 'IfNotPresent'],
  ['registry:5000/app', 'Always'],
  ['registry:5000/app:2', 'IfNotPresent'],
  ['app@sha256:0123', 'IfNotPresent'],
])('image %s is pulled %s', (image, policy) => {
  expect(containerOf({ name: 'a', image })?.imagePullPolicy).toBe(policy);
});

test('requests default to limits', () => {
  expect(containerOf({ name: 'a', resources: { limits: { cpu: '1' } } })?.resources?.requests).toEqual({ cpu: '1' });
});
