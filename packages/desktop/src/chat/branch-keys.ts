// The keys of a branch and of its message. They stay the same until the branch exists, so that one whose answer was lost is not created twice.

interface BranchWish {
  readonly message_id: string
  readonly keep: 'before' | 'through'
  readonly text: string | null
}

export interface BranchKeys {
  readonly branch: string
  readonly message: string
}

export function openBranchKeys(newKey: () => string) {
  const open = new Map<string, BranchKeys>()
  const nameOf = ({ message_id, keep, text }: BranchWish) => JSON.stringify([message_id, keep, text])
  return {
    of(wish: BranchWish): BranchKeys {
      const name = nameOf(wish)
      const keys = open.get(name) ?? { branch: newKey(), message: newKey() }
      open.set(name, keys)
      return keys
    },
    /** The next branch from this message is another one. */
    done: (wish: BranchWish) => void open.delete(nameOf(wish)),
  }
}

export const branchKeys = openBranchKeys(() => crypto.randomUUID())
