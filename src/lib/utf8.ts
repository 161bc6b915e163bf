const LAST_OF_ONE_BYTE = 0x7f;
const LAST_OF_TWO_BYTES = 0x7ff;

/** The number of bytes of the text in UTF-8. A half of a surrogate pair alone counts as the replacement character. */
export function utf8ByteLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit <= LAST_OF_ONE_BYTE) continue;
    bytes += unit <= LAST_OF_TWO_BYTES ? 1 : 2;
    // Both halves of a pair have four bytes together.
    if (isHighHalf(unit) && isLowHalf(text.charCodeAt(i + 1))) i++;
  }
  return bytes;
}

function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
