import { formatAddress, isMapped, parseAddress } from '../../lib/ip-address.ts';
import { type FunctionDeclaration, functionOf, global, member } from '../check/declarations.ts';
import { BOOL, CelType, INT, STRING } from '../values/types.ts';
import { CelError, Opaque, type Outcome, type Value } from '../values/value.ts';

const IP = new CelType('opaque', 'net.IP');
const CIDR = new CelType('opaque', 'net.CIDR');

class IpValue extends Opaque {
  readonly type = IP;
  readonly bytes: readonly number[];
  override readonly size: number;

  constructor(bytes: readonly number[]) {
    super();
    this.bytes = bytes;
    this.size = bytes.length;
  }

  equals(other: IpValue): boolean {
    return this.bytes.length === other.bytes.length && this.bytes.every((byte, i) => byte === other.bytes[i]);
  }
}

class CidrValue extends Opaque {
  readonly type = CIDR;
  readonly address: IpValue;
  readonly prefixBits: number;
  override readonly size: number;

  constructor(address: IpValue, prefixBits: number) {
    super();
    this.address = address;
    this.prefixBits = prefixBits;
    this.size = Math.ceil(prefixBits / 8);
  }

  equals(other: CidrValue): boolean {
    return this.prefixBits === other.prefixBits && this.address.equals(other.address);
  }

  masked(): CidrValue {
    return new CidrValue(new IpValue(maskedBytes(this.address.bytes, this.prefixBits)), this.prefixBits);
  }

  contains(address: IpValue): boolean {
    if (address.bytes.length !== this.address.bytes.length) return false;
    return new IpValue(maskedBytes(address.bytes, this.prefixBits)).equals(this.masked().address);
  }
}

function maskedBytes(bytes: readonly number[], prefixBits: number): number[] {
  return bytes.map((byte, i) => {
    const bits = Math.min(8, Math.max(0, prefixBits - i * 8));
    return byte & (0xff << (8 - bits)) & 0xff;
  });
}

function readIp(value: Value): IpValue | CelError {
  const text = value as string;
  const shown = JSON.stringify(text);
  const bytes = parseAddress(text);
  if (bytes !== null) return isMapped(bytes) ? mappedError(shown) : new IpValue(bytes);
  const [, address = '', zone = ''] = /^([^%]*:[^%]*)%(.+)$/.exec(text) ?? [];
  if (zone !== '' && parseAddress(address) !== null) {
    return new CelError(`IP address ${shown} with zone value is not allowed`);
  }
  return new CelError(`IP Address ${shown} parse error during conversion from string: ${unreadable(text)}`);
}

function mappedError(shown: string): CelError {
  return new CelError(`IPv4-mapped IPv6 address ${shown} is not allowed`);
}

/** The reason of Go's netip for most texts; for some it has others. */
function unreadable(text: string): string {
  return `ParseAddr(${JSON.stringify(text)}): unable to parse IP`;
}

function readCidr(value: Value): CidrValue | CelError {
  const text = value as string;
  const shown = JSON.stringify(text);
  const fail = (reason: string): CelError =>
    new CelError(`network address parse error during conversion from string: netip.ParsePrefix(${shown}): ${reason}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return fail("no '/'");
  const [address, prefix] = [text.slice(0, slash), text.slice(slash + 1)];
  const bytes = parseAddress(address);
  if (bytes === null) return fail(unreadable(address));
  if (!/^(0|[1-9]\d*)$/.test(prefix)) return fail(`bad bits after slash: ${JSON.stringify(prefix)}`);
  if (Number(prefix) > bytes.length * 8) return fail('prefix length out of range');
  return isMapped(bytes) ? mappedError(shown) : new CidrValue(new IpValue(bytes), Number(prefix));
}

const ipOf = (value: Value): IpValue => value as IpValue;
const cidrOf = (value: Value): CidrValue => value as CidrValue;

function containsIp(cidr: Value, other: Value): Outcome {
  const address = typeof other === 'string' ? readIp(other) : ipOf(other);
  return address instanceof CelError ? address : cidrOf(cidr).contains(address);
}

function containsCidr(cidr: Value, other: Value): Outcome {
  const inner = typeof other === 'string' ? readCidr(other) : cidrOf(other);
  if (inner instanceof CelError) return inner;
  return cidrOf(cidr).prefixBits <= inner.prefixBits && cidrOf(cidr).contains(inner.address);
}

const isV4 = (value: Value): boolean => ipOf(value).bytes.length === 4;
const first = (value: Value): number => ipOf(value).bytes[0] ?? 0;
const second = (value: Value): number => ipOf(value).bytes[1] ?? 0;

function isLoopback(value: Value): boolean {
  const { bytes } = ipOf(value);
  return isV4(value) ? first(value) === 127 : bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
}

function isLinkLocalUnicast(value: Value): boolean {
  return isV4(value)
    ? first(value) === 169 && second(value) === 254
    : first(value) === 0xfe && (second(value) & 0xc0) === 0x80;
}

function isLinkLocalMulticast(value: Value): boolean {
  const { bytes } = ipOf(value);
  return isV4(value)
    ? first(value) === 224 && second(value) === 0 && bytes[2] === 0
    : first(value) === 0xff && (second(value) & 0x0f) === 2;
}

function isGlobalUnicast(value: Value): boolean {
  const { bytes } = ipOf(value);
  const isBroadcast = isV4(value) && bytes.every((byte) => byte === 255);
  const isMulticast = isV4(value) ? (first(value) & 0xf0) === 0xe0 : first(value) === 0xff;
  const isNowhere = bytes.every((byte) => byte === 0);
  return !isBroadcast && !isMulticast && !isNowhere && !isLoopback(value) && !isLinkLocalUnicast(value);
}

function isCanonical(text: Value): Outcome {
  const address = readIp(text);
  return address instanceof CelError ? address : formatAddress(address.bytes) === text;
}

function test(name: string, holds: (value: Value) => boolean): FunctionDeclaration {
  const id = `ip_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  return functionOf(name, member(id, [IP], BOOL, holds));
}

/** Addresses and networks as apiserver/pkg/cel/library/ip.go and cidr.go have them. */
export const addressFunctions: readonly FunctionDeclaration[] = [
  functionOf(
    'ip',
    global('', [STRING], IP, readIp),
    member('cidr_ip', [CIDR], IP, (cidr) => cidrOf(cidr).address),
  ),
  functionOf(
    'isIP',
    global('', [STRING], BOOL, (text) => readIp(text) instanceof IpValue),
  ),
  functionOf('ip.isCanonical', global('', [STRING], BOOL, isCanonical)),
  functionOf(
    'family',
    member('', [IP], INT, (value) => (isV4(value) ? 4n : 6n)),
  ),
  test('isUnspecified', (value) => ipOf(value).bytes.every((byte) => byte === 0)),
  test('isLoopback', isLoopback),
  test('isLinkLocalMulticast', isLinkLocalMulticast),
  test('isLinkLocalUnicast', isLinkLocalUnicast),
  test('isGlobalUnicast', isGlobalUnicast),
  functionOf('cidr', global('', [STRING], CIDR, readCidr)),
  functionOf(
    'isCIDR',
    global('', [STRING], BOOL, (text) => readCidr(text) instanceof CidrValue),
  ),
  functionOf(
    'containsIP',
    member('cidr_contains_ip_string', [CIDR, STRING], BOOL, containsIp),
    member('', [CIDR, IP], BOOL, containsIp),
  ),
  functionOf(
    'containsCIDR',
    member('cidr_contains_cidr_string', [CIDR, STRING], BOOL, containsCidr),
    member('', [CIDR, CIDR], BOOL, containsCidr),
  ),
  functionOf(
    'masked',
    member('', [CIDR], CIDR, (cidr) => cidrOf(cidr).masked()),
  ),
  functionOf(
    'prefixLength',
    member('', [CIDR], INT, (cidr) => BigInt(cidrOf(cidr).prefixBits)),
  ),
  functionOf(
    'string',
    global('', [IP], STRING, (value) => formatAddress(ipOf(value).bytes)),
    global('', [CIDR], STRING, (value) => {
      const { address, prefixBits } = cidrOf(value);
      return `${formatAddress(address.bytes)}/${prefixBits}`;
    }),
  ),
];
