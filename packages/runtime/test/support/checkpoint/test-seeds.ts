// Seeds that once failed. Each is tried in every run, besides the seed of the run (`scripts/seed.js`). Add a seed as soon as it fails.
import fc from 'fast-check'

interface KeptSeed {
  readonly seed: number
  /** As many as needed to reach the case that failed. */
  readonly runs: number
}

export const keptSeeds = {
  /** `rm -rf "$PWD"`, then `chmod -R 777 .` in the folder that was recreated: a conflict, although it was as before. */
  trees: [{ seed: 459741178, runs: 1 }],
  /** `truncate` of everything, then a write outside the first inventory: the state before the first was not known. */
  inventory_snapshot: [{ seed: 357413453, runs: 6 }],
  manifest_snapshot: [],
  histories: [],
} as const satisfies Record<string, readonly KeptSeed[]>

/** With the seed of the run, and then with every recorded one. */
export async function assertWithSeeds<Values>(
  property: fc.IAsyncProperty<Values>,
  kept: readonly KeptSeed[],
  parameters: fc.Parameters<Values>,
): Promise<void> {
  await fc.assert(property, { ...parameters, endOnFailure: true })
  for (const { seed, runs } of kept) await fc.assert(property, { seed, numRuns: runs, endOnFailure: true })
}
