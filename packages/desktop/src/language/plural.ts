// A number and the form of the noun that it needs. The forms are those of Intl.PluralRules: English has `one` and `other`.

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

const rules = new Map<string, Intl.PluralRules>()

/** `language`: that of the forms, which is not that of the window if a text is missing in it. */
export function pluralForm(language: string, number: number, forms: Forms): string {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return forms[known.select(number)] ?? forms.other
}
