import { describe, expect, it } from 'vitest';
import { isProxyUrl, proxyFromEnvironment } from '../../../src/remote/connection/proxy.ts';

const PROXY = 'http://proxy:3128';

function isProxied(server: string, excluded: string): boolean {
  return proxyFromEnvironment(server, { HTTPS_PROXY: PROXY, NO_PROXY: excluded }) !== null;
}

describe('the proxy of the environment', () => {
  it('is that of the scheme, in capitals or not', () => {
    expect(proxyFromEnvironment('https://10.0.0.1:6443', { HTTPS_PROXY: PROXY })).toBe(PROXY);
    expect(proxyFromEnvironment('https://10.0.0.1:6443', { https_proxy: 'proxy:3128' })).toBe(PROXY);
    expect(proxyFromEnvironment('https://10.0.0.1:6443', { HTTP_PROXY: PROXY })).toBeNull();
    expect(proxyFromEnvironment('http://10.0.0.1', { http_proxy: PROXY })).toBe(PROXY);
    expect(proxyFromEnvironment('https://10.0.0.1', {})).toBeNull();
  });

  it('does not stand before this machine', () => {
    for (const host of ['localhost:6443', '127.0.0.1:6443', '127.3.2.1', '[::1]:6443']) {
      expect(isProxied(`https://${host}`, ''), host).toBe(false);
    }
  });

  it.each([
    ['https://10.0.0.1:6443', '10.0.0.1', false],
    ['https://10.0.0.1:6443', '10.0.0.0/8', false],
    ['https://10.0.0.1:6443', '10.0.0.1/99, 11.0.0.0/8, fd00::/8', true],
    ['https://10.0.0.1:6443', '10.0.0.1:443', true],
    ['https://10.0.0.1', '10.0.0.1:443', false],
    ['https://[fd00::1]:6443', 'fd00::/8', false],
    ['https://[fd00::1]:6443', '[fd00::1]:6443', false],
    ['https://[fd00::1]:6443', 'fd00::1', false],
    ['https://api.example.com', 'example.com', false],
    ['https://example.com', 'EXAMPLE.com', false],
    ['https://example.com', '.example.com', true],
    ['https://api.example.com', '*.example.com', false],
    ['https://apiexample.com', 'example.com', true],
    ['https://api.example.com', ' other.org , example.com:443', false],
    ['https://api.example.com', '*', false],
  ])('for %s, without %s: %s', (server, excluded, expected) => {
    expect(isProxied(server, excluded)).toBe(expected);
  });
});

it('is an address that clients can use', () => {
  expect(['http://p:1', 'https://p', 'socks5://p:1080'].every(isProxyUrl)).toBe(true);
  expect(['p:3128', 'ftp://p', 'proxy', ''].some(isProxyUrl)).toBe(false);
});
