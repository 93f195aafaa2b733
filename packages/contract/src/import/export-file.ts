// Reads conversations.json of an export: a file of its own, or inside a zip file. The window and the terminal pass in a Blob and how to
// unpack; nothing is written, other entries are never unpacked, and no size in the file is believed.
import { importLimits } from './limits.ts'

/** What is used of a Blob. */
export interface ExportPart<Part> {
  readonly size: number
  slice(start: number, end: number): Part
  arrayBuffer(): Promise<ArrayBuffer>
}

export interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  cancel(): Promise<void>
}

export interface ExportPorts<Part> {
  /** Raw deflate. */
  inflate(packed: Part): ByteReader
  /** UTF-8. */
  decode(parts: readonly Uint8Array[]): string | Promise<string>
}

export type ExportFault = 'too_large' | 'not_json' | 'no_entry' | 'damaged' | 'unsupported' | 'encrypted'

export type ReadExport =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: ExportFault; readonly message: string; readonly remedy: string }

const name = 'conversations.json'
const megabytes = importLimits.file_bytes / 1_048_576
const unpack = `Unpack it, and choose its ${name}.`

const faults: Readonly<Record<ExportFault, { readonly message: string; readonly remedy: string }>> = {
  too_large: {
    message: `${name} is larger than ${megabytes} MB`,
    remedy: 'Request an export with fewer conversations, or split the list into several files.',
  },
  not_json: { message: `${name} is not JSON`, remedy: `Choose the ${name} of the export, or its zip file.` },
  no_entry: { message: `the zip file has no ${name}`, remedy: 'Choose the zip file of an export of ChatGPT or Claude.' },
  damaged: { message: 'the zip file is damaged or incomplete', remedy: `Download the export again, or unpack it and choose its ${name}.` },
  unsupported: { message: 'the zip file is compressed in a way that Tandem does not read', remedy: unpack },
  encrypted: { message: 'the zip file is protected with a password', remedy: unpack },
}

/** An expected failure, on its way to `readExport`. */
class Fault extends Error {
  readonly code: ExportFault
  constructor(code: ExportFault) {
    super(code)
    this.code = code
  }
}

/** Throws only if the file cannot be read. */
export async function readExport<Part extends ExportPart<Part>>(file: Part, ports: ExportPorts<Part>): Promise<ReadExport> {
  try {
    if (file.size > importLimits.file_bytes) throw new Fault('too_large')
    const start = await viewOf(file, 0, Math.min(4, file.size))
    const isZip = start.byteLength === 4 && (start.getUint32(0, true) === signatures.entry || start.getUint32(0, true) === signatures.end)
    const parts = isZip ? await unzipped(file, ports) : [new Uint8Array(await file.arrayBuffer())]
    return { ok: true, value: JSON.parse(await ports.decode(parts)) }
  } catch (error) {
    const code = error instanceof Fault ? error.code : error instanceof SyntaxError ? 'not_json' : null
    if (code === null) throw error
    return { ok: false, code, ...faults[code] }
  }
}

const signatures = { entry: 0x04034b50, directory: 0x02014b50, end: 0x06054b50 } as const
/** The end of a zip file may be followed by a comment of this length. */
const longestComment = 65_535
/** A directory of more than a million entries is no export. */
const largestDirectory = 64 * 1_048_576
/** Sizes and places above it are in fields of zip64. */
const [zip64Size, zip64Count] = [0xffff_ffff, 0xffff]

interface ZipEntry {
  readonly name: string
  readonly flags: number
  readonly method: number
  readonly packed: number
  readonly whole: number
  readonly head: number
}

async function unzipped<Part extends ExportPart<Part>>(file: Part, ports: ExportPorts<Part>): Promise<readonly Uint8Array[]> {
  const found = chosen(await entriesOf(file))
  const { flags, method, packed, whole, head } = found
  if ((flags & 1) === 1) throw new Fault('encrypted')
  if ([packed, whole, head].includes(zip64Size)) throw new Fault('unsupported')
  if (whole > importLimits.file_bytes) throw new Fault('too_large')
  const local = await viewOf(file, head, head + 30)
  if (local.getUint32(0, true) !== signatures.entry) throw new Fault('damaged')
  const begin = head + 30 + local.getUint16(26, true) + local.getUint16(28, true)
  if (begin + packed > file.size) throw new Fault('damaged')
  const body = file.slice(begin, begin + packed)
  if (method === 0 && packed === whole) return [new Uint8Array(await body.arrayBuffer())]
  if (method === 0) throw new Fault('damaged')
  if (method !== 8) throw new Fault('unsupported')
  return await inflated(ports.inflate(body), whole)
}

async function entriesOf<Part extends ExportPart<Part>>(file: Part): Promise<readonly ZipEntry[]> {
  const tail = await viewOf(file, Math.max(0, file.size - longestComment - 22), file.size)
  let at = tail.byteLength - 22
  // A comment may look like the end: its length must match.
  const isEnd = (place: number) =>
    tail.getUint32(place, true) === signatures.end && place + 22 + tail.getUint16(place + 20, true) === tail.byteLength
  while (at >= 0 && !isEnd(at)) at -= 1
  if (at < 0) throw new Fault('damaged')
  const [count, size, from] = [tail.getUint16(at + 10, true), tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)]
  if (count === zip64Count || size === zip64Size || from === zip64Size) throw new Fault('unsupported')
  if (size > largestDirectory || from + size > file.size) throw new Fault('damaged')
  const list = await viewOf(file, from, from + size)
  const entries: ZipEntry[] = []
  for (let place = 0; entries.length < count; ) {
    if (place + 46 > list.byteLength || list.getUint32(place, true) !== signatures.directory) throw new Fault('damaged')
    const word = (offset: number) => list.getUint16(place + offset, true)
    const long = (offset: number) => list.getUint32(place + offset, true)
    const next = place + 46 + word(28) + word(30) + word(32)
    if (next > list.byteLength) throw new Fault('damaged')
    const own = String.fromCharCode(...new Uint8Array(list.buffer, list.byteOffset + place + 46, word(28)))
    entries.push({ name: own, flags: word(8), method: word(10), packed: long(20), whole: long(24), head: long(42) })
    place = next
  }
  return entries
}

/** Names are compared, never used as paths. The list at the top is preferred; two with one name are no export. */
function chosen(entries: readonly ZipEntry[]): ZipEntry {
  const fitting = entries.filter(({ name: own }) => own === name || (own.endsWith(`/${name}`) && isPlain(own)))
  const [found] = fitting.toSorted((left, right) => left.name.length - right.name.length)
  if (!found) throw new Fault('no_entry')
  if (fitting.filter((one) => one.name === found.name).length > 1) throw new Fault('damaged')
  return found
}

function isPlain(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

/** Stops at the size that the directory has: a bomb says that it is small. */
async function inflated(reader: ByteReader, whole: number): Promise<readonly Uint8Array[]> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Fault('damaged')
    })
    if (done) break
    bytes += value?.byteLength ?? 0
    if (value) parts.push(value)
    if (bytes <= whole) continue
    // What it would unpack to does not matter any more.
    await reader.cancel().catch(() => undefined)
    throw new Fault('damaged')
  }
  if (bytes !== whole) throw new Fault('damaged')
  return parts
}

async function viewOf<Part extends ExportPart<Part>>(file: Part, start: number, end: number): Promise<DataView<ArrayBuffer>> {
  if (end > file.size) throw new Fault('damaged')
  return new DataView(await file.slice(start, end).arrayBuffer())
}
