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

/** Null while there are no matches. Only skills that can be used now are suggested. */
export function useSkillSuggestions(agent_id: string | null, workspace: string | null, typed: string | null): readonly Suggestion[] | null {
  const client = useRuntimeClient()
  const [skills, setSkills] = useState<readonly AssignedSkill[]>([])
  const isWanted = typed !== null && agent_id !== null
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
  const matching = typed === null ? [] : matchingSkills(skills, typed).slice(0, mostShown)
  return matching.length === 0 ? null : matching.map(({ name, description }) => ({ value: name, text: `/${name}`, detail: description }))
}
