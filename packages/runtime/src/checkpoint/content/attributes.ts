// What a path has besides its content and permissions: owner, group, access control list, extended attributes, and the nanoseconds of its
// modification time. Restored where permitted; the preview lists the rest.
import { lchownSync, lutimesSync } from 'node:fs'
import {
  type ExtendedAttributes,
  hasExactTimes,
  isAccessControlList,
  mayBeSetByOwner,
  setExactTime,
  setExtendedAttributes,
} from './extended-attributes.ts'

/** Undefined: unknown. Points of earlier versions have none of them. */
export interface Attributes {
  readonly uid?: number | undefined
  readonly gid?: number | undefined
  /** The nanoseconds of the modification time below the millisecond: as a fraction of milliseconds they do not fit in a number. */
  readonly mtime_ns?: number | undefined
  readonly xattrs?: ExtendedAttributes | undefined
}

/** Whether owner, group, access control list and extended attributes are equal, as far as they are known and could be set. */
export function sameAttributes(left: Attributes, right: Attributes): boolean {
  return sameOwner(left, right) && sameExtended(left.xattrs, right.xattrs)
}

function sameOwner(left: Attributes, right: Attributes): boolean {
  if (left.uid === right.uid && left.gid === right.gid) return true
  return !canOwn(left) || !canOwn(right)
}

function sameExtended(left: ExtendedAttributes | undefined, right: ExtendedAttributes | undefined): boolean {
  if (left === right || left === undefined || right === undefined) return true
  return JSON.stringify(left.filter(canSet)) === JSON.stringify(right.filter(canSet))
}

/** What is lost when the path is created again. */
export function lostAttributes(to: Attributes & { readonly mtime: number }): string[] {
  const { uid, gid, xattrs } = to
  const [unread, forbidden] = [xattrs?.filter(([, value]) => value === null) ?? [], xattrs?.filter(isForbidden) ?? []]
  const names = (ones: ExtendedAttributes) => ones.map(([name]) => name).join(', ')
  return [
    ...(uid === undefined || gid === undefined || canOwn(to) ? [] : [`its owner (user ${uid}, group ${gid}): only root can restore it`]),
    ...(xattrs === undefined ? ['its access control list and extended attributes: they were not saved'] : []),
    ...(unread.length > 0 ? [`its extended attributes ${names(unread)}: they could not be saved`] : []),
    ...(forbidden.length > 0 ? [`its extended attributes ${names(forbidden)}: only root can restore them`] : []),
    ...(hasExactTimes() || isWhole(to) ? [] : ['the nanoseconds of its modification time: they cannot be restored on this system']),
  ]
}

/**
 * Called before the permissions are set: changing the owner may clear some of them. What the system refuses is found by the verification.
 */
export function restoreAttributes(path: string, to: Attributes): void {
  if (to.uid !== undefined && to.gid !== undefined && canOwn(to)) {
    try {
      lchownSync(path, to.uid, to.gid)
    } catch {
      // Reported by the verification at the end: the content is worth restoring in any case.
    }
  }
  if (to.xattrs) setExtendedAttributes(path, to.xattrs.filter(canSet))
}

export function restoreTime(path: string, to: Attributes & { readonly mtime: number }): void {
  const { mtime, mtime_ns } = to
  if (mtime_ns !== undefined && setExactTime(path, exactTime(mtime, mtime_ns))) return
  lutimesSync(path, mtime / 1_000, mtime / 1_000)
}

/** What is wrong with a path; null if nothing is. What the preview listed as lost is not an error. */
export function attributeFault(found: Attributes, to: Attributes): string | null {
  if (to.uid !== undefined && !sameOwner(found, to)) {
    return `it belongs to user ${found.uid}, group ${found.gid} and should belong to user ${to.uid}, group ${to.gid}`
  }
  if (sameExtended(found.xattrs, to.xattrs)) return null
  const differ = (ones: ExtendedAttributes = [], others: ExtendedAttributes = []) =>
    ones.filter(([name, value]) => value !== null && others.find(([other]) => other === name)?.[1] !== value).map(([name]) => name)
  const names = [...new Set([...differ(found.xattrs, to.xattrs), ...differ(to.xattrs, found.xattrs)])]
  const lists = names.some(isAccessControlList) ? 'its access control list is' : `its extended attributes ${names.join(', ')} are`
  return `${lists} different from what was saved`
}

/** The nanoseconds since 1970. The fraction of `mtime` is precise enough to determine its millisecond. */
export function exactTime(mtime: number, mtime_ns: number): bigint {
  return BigInt(Math.round(mtime - mtime_ns / 1e6)) * 1_000_000n + BigInt(mtime_ns)
}

/** The part of the time below a millisecond. */
export function nanosecondsOf({ mtimeNs }: { readonly mtimeNs: bigint }): number {
  return Number(((mtimeNs % 1_000_000n) + 1_000_000n) % 1_000_000n)
}

/** Node sets times with microsecond precision, approximately. */
function isWhole({ mtime_ns = 0 }: Attributes): boolean {
  return mtime_ns % 1_000 === 0
}

/** Root may change the owner to any user, others only to themselves and their groups. */
function canOwn({ uid, gid }: Attributes): boolean {
  const own = process.geteuid?.()
  if (uid === undefined || gid === undefined || own === undefined) return false
  return own === 0 || (uid === own && (gid === process.getegid?.() || process.getgroups?.().includes(gid) === true))
}

function canSet([name, value]: ExtendedAttributes[number]): boolean {
  return value !== null && (process.geteuid?.() === 0 || mayBeSetByOwner(name))
}

function isForbidden(attribute: ExtendedAttributes[number]): boolean {
  return attribute[1] !== null && !canSet(attribute)
}
