// Scans a scope and decides how it can be saved: which kind, which contents, and what stays unprotected.
import { type RestoreKind, restoreKind } from '@tandem/contract/checkpoint'
import { limits } from '@tandem/contract/limits'
import { isInside } from '../../path/inside.ts'
import { chooseStoredContents, type StoredContents } from '../content/content-choice.ts'
import { look } from './look.ts'
import { type ChangeScope, firstMissing, isTooWide } from './scope.ts'
import { type WalkOptions, type WalkResult, walk } from './walk.ts'

export interface ScopeScan extends WalkResult {
  readonly kind: RestoreKind
  readonly kept: StoredContents
}

export function scanScope(scope: ChangeScope, options: WalkOptions): ScopeScan {
  const { kind, walked } = seeScope(scope, options)
  const kept = chooseStoredContents(kind, walked.images, scope.targets, walked.notes)
  if (scope.opaque) for (const folder of [scope.root, ...scope.folders]) walked.notes.add('outside', folder)
  for (const word of scope.computed) walked.notes.add('computed', word)
  return { ...walked, kind, kept }
}

function seeScope(scope: ChangeScope, options: WalkOptions): { kind: RestoreKind; walked: WalkResult } {
  const targets = outermost(scope.targets.map(firstMissing))
  if (scope.reach === 'paths') {
    const walked = walk(targets, options)
    return { kind: walked.whole ? wholeKind(walked) : 'inventory_snapshot', walked }
  }
  const folders = [scope.root, ...scope.folders]
  if (!folders.some(isTooWide)) {
    const walked = walk(outermost([...folders, ...targets]), options)
    if (walked.whole) return { kind: wholeKind(walked), walked }
  }
  // Named targets share the rest of a small budget: a command may name the home folder itself.
  const narrow = { ...options, budget: { files: limits.small_scope_files, ms: options.budget.ms } }
  const named = walk(
    targets.filter((target) => !folders.some((folder) => isInside(folder, target))),
    narrow,
  )
  const wide = folders.map((folder) => look(folder, options)).reduce(together)
  return { kind: 'inventory_snapshot', walked: together(wide, named) }
}

/** Folders that can be generated again may have been left out: the rest is still a manifest. */
function wholeKind(walked: WalkResult): RestoreKind {
  const kind = restoreKind(walked)
  return kind === 'inventory_snapshot' ? 'manifest_snapshot' : kind
}

function together(wide: WalkResult, named: WalkResult): WalkResult {
  for (const [path, image] of named.images) wide.images.set(path, image)
  for (const note of named.notes.list()) for (const path of note.paths) wide.notes.add(note.cause, path)
  const blind = wide.coverage.blind.filter((folder) => !named.images.has(folder))
  return {
    ...wide,
    coverage: {
      trees: named.coverage.trees,
      paths: [...wide.coverage.paths, ...named.coverage.paths],
      children: [...wide.coverage.children, ...named.coverage.children],
      blind: [...blind, ...named.coverage.blind],
    },
    files: wide.files + named.files,
    bytes: wide.bytes + named.bytes,
  }
}

/** Without those below another one. */
function outermost(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)]
  return unique.filter((path) => !unique.some((other) => other !== path && isInside(path, other)))
}
