// Extended attributes and exact times, which Node's API does not provide. An access control list is also an extended attribute. Read
// through the C library on Linux; on other systems nothing is read, and the preview reports it.

import type { WrappedFunctionsFromDefinitions } from 'node:ffi'

/** By name, sorted. The value as base64; null if it could not be read. */
export type ExtendedAttributes = readonly (readonly [name: string, value: string | null])[]

/** One shared object for all paths without attributes, which are nearly all. */
export const noExtendedAttributes: ExtendedAttributes = []

/** Undefined if this system does not support it. Users cannot set attributes of a link itself. */
export function extendedAttributesAt(path: string): ExtendedAttributes | undefined {
  const library = libc()
  return library === null ? undefined : named(library, path, library.functions.llistxattr(path, library.pointer, size))
}

/** The same for an open file, which is the faster way to find out that there are none. */
export function extendedAttributesOf(descriptor: number, path: string): ExtendedAttributes | undefined {
  const library = libc()
  return library === null ? undefined : named(library, path, library.functions.flistxattr(descriptor, library.pointer, size))
}

/** Sets these and removes the others, as far as the system permits; the caller verifies the result. */
export function setExtendedAttributes(path: string, wanted: ExtendedAttributes): void {
  const library = libc()
  if (!library) return
  const { functions } = library
  const present = new Map(extendedAttributesAt(path))
  for (const name of present.keys()) if (!wanted.some(([other]) => other === name)) functions.lremovexattr(path, name)
  for (const [name, value] of wanted) {
    if (value === null || present.get(name) === value) continue
    const bytes = Buffer.from(value, 'base64')
    // The C library does not accept a null pointer.
    functions.lsetxattr(path, name, bytes.length === 0 ? Buffer.alloc(1) : bytes, BigInt(bytes.length), 0)
  }
}

/** With nanoseconds, and for a link itself. False if this system does not support it or refuses. */
export function setExactTime(path: string, nanoseconds: bigint): boolean {
  const library = libc()
  if (!library) return false
  const second = 1_000_000_000n
  const rest = ((nanoseconds % second) + second) % second
  const times = Buffer.alloc(32)
  // Access and modification, each as seconds and nanoseconds.
  for (const at of [0, 16]) {
    times.writeBigInt64LE((nanoseconds - rest) / second, at)
    times.writeBigInt64LE(rest, at + 8)
  }
  return library.functions.utimensat(hereFolder, path, times, noFollow) === 0
}

export function hasExactTimes(): boolean {
  return libc() !== null
}

/** Which attributes are saved. SELinux labels and IMA signatures are left to the system, which sets them for every new file. */
function isSaved(name: string): boolean {
  return name.startsWith('user.') || name.startsWith('trusted.') || isAccessControlList(name) || name === 'security.capability'
}

export function isAccessControlList(name: string): boolean {
  return name === 'system.posix_acl_access' || name === 'system.posix_acl_default'
}

/** For files that the user owns. */
export function mayBeSetByOwner(name: string): boolean {
  return name.startsWith('user.') || isAccessControlList(name)
}

function named(library: Library, path: string, length: number): ExtendedAttributes {
  if (length <= 0) return noExtendedAttributes
  const names = library.buffer.toString('utf8', 0, length).split('\0').filter(isSaved)
  if (names.length === 0) return noExtendedAttributes
  return names.sort().map((name) => {
    const bytes = library.functions.lgetxattr(path, name, library.pointer, size)
    return [name, bytes < 0 || bytes > longestValue ? null : library.buffer.toString('base64', 0, bytes)] as const
  })
}

/** The kernel's limit for a list and for a value. */
const longest = 65_536
const size = BigInt(longest)
/** Longer values are not saved, and the preview reports it. */
const longestValue = 16_384
const hereFolder = -100
const noFollow = 0x100

interface Library {
  readonly functions: WrappedFunctionsFromDefinitions<typeof signatures>
  readonly buffer: Buffer
  readonly pointer: bigint
}

const signatures = {
  flistxattr: { arguments: ['i32', 'pointer', 'u64'], return: 'i32' },
  llistxattr: { arguments: ['string', 'pointer', 'u64'], return: 'i32' },
  lgetxattr: { arguments: ['string', 'string', 'pointer', 'u64'], return: 'i32' },
  lsetxattr: { arguments: ['string', 'string', 'pointer', 'u64', 'i32'], return: 'i32' },
  lremovexattr: { arguments: ['string', 'string'], return: 'i32' },
  utimensat: { arguments: ['i32', 'string', 'pointer', 'i32'], return: 'i32' },
} as const

let opened: Library | null | undefined

function libc(): Library | null {
  if (opened === undefined) opened = process.platform === 'linux' ? open() : null
  return opened
}

function open(): Library | null {
  const { emitWarning } = process
  try {
    // Node warns that the module is experimental. Without the module, the attributes are listed as lost, so nothing depends on it.
    process.emitWarning = () => undefined
    const ffi = process.getBuiltinModule('node:ffi')
    const { functions } = ffi.dlopen(null, signatures)
    const buffer = Buffer.alloc(longest)
    return { functions, buffer, pointer: ffi.getRawPointer(buffer) }
  } catch {
    // An older Node, or one that was built without it.
    return null
  } finally {
    process.emitWarning = emitWarning
  }
}
