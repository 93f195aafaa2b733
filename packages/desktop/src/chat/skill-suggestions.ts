// The skills of an agent that match the text after a /.
import { useEffect, useState } from 'react'
import { readAll } from '../client/pages.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import type { Suggestion } from './mentions.tsx'
import { matchingSkills } from './skill-command.ts'

const mostShown = 8

interface AssignedSkill {
  readonly name: string
  readonly description: string
}

/** The skills that an agent can use now. They are read when they are wanted. */
export function useSkills(agent_id: string | null, workspace: string | null, isTyping: boolean): readonly AssignedSkill[] {
  const client = useRuntimeClient()
  const [skills, setSkills] = useState<readonly AssignedSkill[]>([])
  const isWanted = isTyping && agent_id !== null
  useEffect(() => {
    if (!isWanted) return setSkills([])
    let gone = false
    void readAll(client.channel, 'skill_binding_list', { agent_id, ...(workspace ? { workspace } : {}) }).then((read) => {
      const found = read.ok ? read.value.items : []
      const usable = found.flatMap(({ skill, barrier }) => (skill && barrier === null ? [skill] : []))
      if (!gone) setSkills(usable.map(({ name, description }) => ({ name, description })))
    })
    return () => {
      gone = true
    }
  }, [client, agent_id, workspace, isWanted])
  return skills
}

export function skillSuggestions(skills: readonly AssignedSkill[], typed: string): readonly Suggestion[] {
  return matchingSkills(skills, typed)
    .slice(0, mostShown)
    .map(({ name, description }) => ({ value: `/${name} `, text: `/${name}`, detail: description }))
}
