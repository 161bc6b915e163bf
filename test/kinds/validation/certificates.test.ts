import { describe, expect, it } from 'vitest';
import { certificateWarnings } from '../../../src/kinds/validation/certificates.ts';

const block = (type: string): string => `-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`;

function warnings(certificate: string, key: string): string[] {
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const data = { 'tls.crt': encoded(certificate), 'tls.key': encoded(key) };
  return certificateWarnings({ type: 'kubernetes.io/tls', data });
}

describe('certificateWarnings', () => {
  it('says what is not where it belongs', () => {
    expect(warnings('x', 'y')).toEqual(['tls: failed to find any PEM data in certificate input']);
    expect(warnings(block('CERTIFICATE'), 'y')).toEqual(['tls: failed to find any PEM data in key input']);
    expect(warnings(block('RSA PRIVATE KEY'), block('CERTIFICATE'))).toEqual([
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; ' +
        'PEM inputs may have been switched',
    ]);
  });

  it('looks at no other secrets', () => {
    expect(certificateWarnings({ type: 'Opaque', data: {} })).toEqual([]);
  });
});
