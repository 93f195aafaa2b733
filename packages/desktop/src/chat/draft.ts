// What is typed but not sent, by conversation: switching away, a lost connection or a reload takes nothing of it.

const prefix = 'tandem.draft.'

export function readDraft(place: string): string {
  try {
    return sessionStorage.getItem(prefix + place) ?? ''
  } catch (error) {
    console.warn('drafts can not be read', error)
    return ''
  }
}

export function keepDraft(place: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(prefix + place)
    else sessionStorage.setItem(prefix + place, text)
  } catch (error) {
    console.warn('drafts can not be kept', error)
  }
}
