// What who goes back should know, written down while it is seen.
import type { RestoreKind } from '@tandem/contract/checkpoint'
import type { ChangeScope } from '../survey/scope.ts'

const ofKind: Readonly<Record<RestoreKind, string | null>> = {
  filesystem_snapshot: null,
  manifest_snapshot: 'Not of every file is the content kept: what was made since goes, and of the others a preview tells which come back.',
  inventory_snapshot: 'Of a folder this large little content is kept: what a command named comes back, and a preview tells what else does.',
}

/** The first few of what is not protected: all of it stands with the call. */
const shown = 40

export function recoveryHints(
  { opaque, root }: Pick<ChangeScope, 'opaque' | 'root'>,
  kind: RestoreKind,
  unprotected: readonly string[],
): string[] {
  const command = opaque
    ? [`A command ran in ${root}: what it changed elsewhere, on the network or in other programs does not come back.`]
    : []
  const ofThisKind = ofKind[kind]
  const lost = unprotected.slice(0, shown).map((text) => `Does not come back: ${text}`)
  return [...command, ...(ofThisKind ? [ofThisKind] : []), ...lost]
}
