"""The Empatheia network as the reasoner: sound, pictures and text → plan and clauses."""
