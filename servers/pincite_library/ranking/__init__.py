"""What orders the passages: terms, embeddings, fusion, rerankers."""
