import { describe, expect, it } from 'vitest';
import type { Container, Pod } from '../../../../src/api/pod.ts';
import { containerRequests } from '../../../../src/plugins/dynamic-resources/extended/container-requests.ts';

const GPU = 'example.com/gpu';
const CLASSES = new Map([[GPU, 'gpu']]);

function container(name: string, gpus: number, more: Partial<Container> = {}): Container {
  return { name, resources: { requests: { cpu: '1', ...(gpus > 0 && { [GPU]: gpus }) } }, ...more };
}

function asked(containers: readonly Container[], initContainers: readonly Container[] = []) {
  const pod: Pod = { spec: { containers, initContainers } };
  const { requests, mappings } = containerRequests(pod, CLASSES);
  return {
    requests: requests.map(({ name, exactly }) => `${name} ${exactly?.count}`),
    mappings: mappings.map(({ containerName, requestName }) => `${containerName}=${requestName}`),
  };
}

describe('containerRequests', () => {
  it('asks once for each container, by its place and that of the resource', () => {
    expect(asked([container('a', 2), container('b', 0), container('c', 1)])).toEqual({
      requests: ['container-0-request-1 2', 'container-2-request-1 1'],
      mappings: ['a=container-0-request-1', 'c=container-2-request-1'],
    });
  });

  it('lets init containers use the devices of later containers, and asks for the largest difference', () => {
    const init = [container('i', 3), container('j', 5), container('k', 1)];
    expect(asked([container('a', 1), container('b', 1)], init)).toEqual({
      requests: ['container-1-request-1 3', 'container-3-request-1 1', 'container-4-request-1 1'],
      mappings: [
        ...['a=container-3-request-1', 'b=container-4-request-1'],
        ...['i=container-3-request-1', 'i=container-4-request-1', 'i=container-1-request-1'],
        ...['j=container-3-request-1', 'j=container-4-request-1', 'j=container-1-request-1'],
        'k=container-3-request-1',
      ],
    });
  });

  it('counts a sidecar as a container that stays, but not for init containers after it', () => {
    const init = [container('s', 2, { restartPolicy: 'Always' }), container('i', 1)];
    expect(asked([container('a', 0)], init)).toEqual({
      requests: ['container-0-request-1 2', 'container-1-request-1 1'],
      mappings: ['s=container-0-request-1', 'i=container-1-request-1'],
    });
  });
});
