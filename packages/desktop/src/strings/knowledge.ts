// The texts of the knowledge base.

export const knowledgeWords = {
  nothingFound: 'Nothing was found.',
}
