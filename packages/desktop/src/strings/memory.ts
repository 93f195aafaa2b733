// The texts of long-term memory.

export const memoryWords = {
  nothingFound: 'Nothing found.',
  quotes: 'Said word for word',
  kinds: {
    episodic: 'Event',
    semantic: 'Fact',
    preference: 'Preference',
    decision: 'Decision',
    procedural: 'Way of working',
    relationship: 'Relationship',
  },
  states: { active: 'Active', superseded: 'Replaced', archived: 'Archived' },
}
