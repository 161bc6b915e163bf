import { describe, expect, test } from 'vitest';
import { type KernelHost, newKernelHost } from '../../src/kernels/kernel-host.ts';

const MEBIBYTE = 2 ** 20;

/** Takes what earlier tests have released. */
function freshHosts(count: number): KernelHost[] {
  while (newKernelHost('simd').memory.touchedBytes > 65_536);
  return Array.from({ length: count }, () => newKernelHost('simd'));
}

describe('newKernelHost', () => {
  test('takes the kernels and the memory of a released host, of its own kind', () => {
    const [host] = freshHosts(1) as [KernelHost];
    new Uint8Array(host.memory.memory.buffer, host.memory.allocate(64), 64).fill(7);
    host.release?.();
    expect(newKernelHost('scalar').kernels).not.toBe(host.kernels);
    const next = newKernelHost('simd');
    expect(next.kernels).toBe(host.kernels);
    expect(next.memory).not.toBe(host.memory);
    expect(next.memory.memory).toBe(host.memory.memory);
    expect(next.memory.allocatedBytes).toBe(0);
    expect(newKernelHost('simd').memory.memory).not.toBe(host.memory.memory);
  });

  test('keeps no more than two', () => {
    const hosts = freshHosts(3);
    for (const host of hosts) host.release?.();
    const kept = [newKernelHost('simd'), newKernelHost('simd'), newKernelHost('simd')].map(({ kernels }) => kernels);
    expect(kept.slice(0, 2)).toEqual([hosts[1]?.kernels, hosts[0]?.kernels]);
    expect(hosts.map(({ kernels }) => kernels)).not.toContain(kept[2]);
  });

  test('of large memories lends the last one, after the small ones', () => {
    const hosts = freshHosts(3);
    for (const host of hosts.slice(0, 2)) host.memory.allocate(129 * MEBIBYTE);
    for (const host of hosts) host.release?.();
    const kept = [newKernelHost('simd'), newKernelHost('simd'), newKernelHost('simd')].map(({ kernels }) => kernels);
    expect(kept.slice(0, 2)).toEqual([hosts[2]?.kernels, hosts[1]?.kernels]);
    expect(hosts.map(({ kernels }) => kernels)).not.toContain(kept[2]);
  });

  test('a host is released once', () => {
    const [host] = freshHosts(1) as [KernelHost];
    host.release?.();
    expect(() => host.release?.()).toThrow('handed over once');
    newKernelHost('simd');
  });
});
