import { parseDouble, shortestText } from './doubles.ts';
import { Duration, isInt, MAX_INT, MAX_UINT, Timestamp, Uint } from './scalars.ts';
import { durationText, floorDivide, parseDuration, parseTimestamp, timestampOf, timestampText } from './times.ts';
import { encodeUtf8 } from './utf8-bytes.ts';
import { CelError, type Outcome, runtimeType, type Value } from './value.ts';

const SECOND = 1_000_000_000n;

/** Converts as `int()` does. */
export function toInt(value: Value): Outcome {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) return value.value <= MAX_INT ? value.value : new CelError('integer overflow');
  if (typeof value === 'number') {
    const inside = value > -(2 ** 63) && value < 2 ** 63;
    return inside ? BigInt(Math.trunc(value)) : new CelError('integer overflow');
  }
  if (typeof value === 'string') {
    const whole = /^[+-]?\d+$/.test(value) ? BigInt(value) : null;
    return whole !== null && isInt(whole) ? whole : conversionError(value, 'int');
  }
  if (value instanceof Timestamp) return floorDivide(value.nanoseconds, SECOND);
  if (value instanceof Duration) return value.nanoseconds;
  return conversionError(value, 'int');
}

export function toUint(value: Value): Outcome {
  if (value instanceof Uint) return value;
  if (typeof value === 'bigint') return value >= 0n ? new Uint(value) : new CelError('unsigned integer overflow');
  if (typeof value === 'number') {
    const inside = value >= 0 && value < 2 ** 64;
    return inside ? new Uint(BigInt(Math.trunc(value))) : new CelError('unsigned integer overflow');
  }
  if (typeof value === 'string') {
    const whole = /^\d+$/.test(value) ? BigInt(value) : null;
    return whole !== null && whole <= MAX_UINT ? new Uint(whole) : conversionError(value, 'uint');
  }
  return conversionError(value, 'uint');
}

export function toDouble(value: Value): Outcome {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (typeof value === 'string') {
    const number = parseDouble(value);
    return number ?? conversionError(value, 'double');
  }
  return conversionError(value, 'double');
}

export function toText(value: Value): Outcome {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint) return String(value.value);
  if (typeof value === 'number') return shortestText(value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Uint8Array) {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
    } catch {
      return new CelError('invalid UTF-8 in bytes, cannot convert to string');
    }
  }
  return conversionError(value, 'string');
}

export function toBytes(value: Value): Outcome {
  if (typeof value === 'string') return encodeUtf8(value);
  return value instanceof Uint8Array ? value : conversionError(value, 'bytes');
}

export function toBool(value: Value): Outcome {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value)) return true;
    if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(value)) return false;
  }
  return conversionError(value, 'bool');
}

export function toTimestamp(value: Value): Outcome {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'string') return parseTimestamp(value);
  return typeof value === 'bigint' ? timestampOf(value * SECOND) : conversionError(value, 'google.protobuf.Timestamp');
}

export function toDuration(value: Value): Outcome {
  if (value instanceof Duration) return value;
  if (typeof value === 'string') return parseDuration(value);
  return typeof value === 'bigint' ? new Duration(value) : conversionError(value, 'google.protobuf.Duration');
}

function conversionError(value: Value, type: string): CelError {
  return new CelError(`type conversion error from '${runtimeType(value).name}' to '${type}'`);
}
