import java.io.File;
import org.semanticweb.owlapi.apibinding.OWLManager;
import org.semanticweb.owlapi.model.OWLOntology;
import org.semanticweb.owlapi.profiles.OWL2DLProfile;

/** Reads one ontology as Protégé and ROBOT do: its format, logical axioms and breaches of OWL 2 DL. */
public class ReadOntology {
  public static void main(String[] files) throws Exception {
    for (String file : files) {
      OWLOntology read =
          OWLManager.createOWLOntologyManager().loadOntologyFromOntologyDocument(new File(file));
      System.out.println("file\t" + read.getFormat().getKey());
      System.out.println("name\t" + read.getOntologyID().getOntologyIRI().get());
      read.logicalAxioms().map(axiom -> "axiom\t" + axiom).sorted().forEach(System.out::println);
      read.classesInSignature().map(one -> "class\t" + one).sorted().forEach(System.out::println);
      new OWL2DLProfile()
          .checkOntology(read)
          .getViolations()
          .forEach(breach -> System.out.println("breach\t" + breach));
    }
  }
}
