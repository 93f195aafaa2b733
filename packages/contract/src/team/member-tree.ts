import type { TeamMember } from './schema.ts'

export interface MemberNode {
  readonly member: TeamMember
  readonly children: readonly MemberNode[]
}

/** The members as a tree, in the order they started. A member whose parent is not in the list is a root. Each member appears once. */
export function memberTree(members: readonly TeamMember[]): readonly MemberNode[] {
  const known = new Map(members.map((member) => [member.run_id, member]))
  const placed = new Set<string>()
  const node = (member: TeamMember): MemberNode => {
    placed.add(member.run_id)
    const children = members.filter(({ run_id, parent_run_id }) => parent_run_id === member.run_id && !placed.has(run_id))
    return { member, children: children.map(node) }
  }
  return members.filter(({ parent_run_id }) => parent_run_id === null || !known.has(parent_run_id)).map(node)
}
