import fc from 'fast-check';
import { expect, test } from 'vitest';
import { structOfKind } from '../../../src/kinds/registry/built-in-schema.ts';
import { decodeProtobuf, ProtobufError } from '../../../src/kinds/schema/protobuf.ts';

/** A field whose value is bytes. */
function field(number: number, value: Buffer | string): Buffer {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

function varint(number: number, value: number): Buffer {
  return Buffer.from([number << 3, value]);
}

function envelope(apiVersion: string, kind: string, raw: Buffer): Buffer {
  const typeMeta = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, typeMeta), field(2, raw)]);
}

test('a config map: names, and maps of texts', () => {
  const metadata = Buffer.concat([field(1, 'c'), field(11, Buffer.concat([field(1, 'app'), field(2, 'web')]))]);
  const data = Buffer.concat([field(1, 'k'), field(2, 'v')]);
  const bytes = envelope('v1', 'ConfigMap', Buffer.concat([field(1, metadata), field(2, data)]));
  expect(decodeProtobuf(bytes, structOfKind)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', labels: { app: 'web' } },
    data: { k: 'v' },
  });
});

test('a pod: structs that Go embeds, quantities and times', () => {
  const quantity = field(1, '100m');
  const requests = Buffer.concat([field(1, 'cpu'), field(2, quantity)]);
  const container = Buffer.concat([field(1, 'main'), field(8, field(2, requests))]);
  const volume = Buffer.concat([field(1, 'v'), field(2, field(2, Buffer.alloc(0)))]);
  const created = field(8, varint(1, 100));
  const spec = Buffer.concat([field(1, volume), field(2, container)]);
  const object = decodeProtobuf(
    envelope('v1', 'Pod', Buffer.concat([field(1, created), field(2, spec)])),
    structOfKind,
  );
  expect(object).toMatchObject({
    metadata: { creationTimestamp: '1970-01-01T00:01:40Z' },
    spec: {
      volumes: [{ name: 'v', emptyDir: {} }],
      containers: [{ name: 'main', resources: { requests: { cpu: '100m' } } }],
    },
  });
});

test('any bytes are an object or refused', () => {
  const start = envelope('v1', 'Pod', Buffer.alloc(0));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (tail) => {
      const raw = envelope('v1', 'Pod', Buffer.from(tail));
      for (const bytes of [Buffer.from(tail), Buffer.concat([start, tail]), raw]) {
        try {
          decodeProtobuf(bytes, structOfKind);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtobufError);
        }
      }
    }),
  );
});
