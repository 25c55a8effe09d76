"""Lets VTK's readers read SOURCE and writes what they give as VTK's own files into FOLDER; prints the name of the file that stands for all.

    vtk_import.py SOURCE FOLDER

Ends with status 3 where Python has no package vtk, 1 where nothing can be read, with a line on standard error."""
import os
import sys

# by the ending of the name; the first that VTK has is taken
READERS = {
    ".case": ["vtkGenericEnSightReader"],
    ".encas": ["vtkGenericEnSightReader"],
    ".foam": ["vtkOpenFOAMReader"],
    ".openfoam": ["vtkOpenFOAMReader"],
    ".cas": ["vtkFLUENTReader"],
    ".neu": ["vtkGAMBITReader"],
    ".inp": ["vtkAVSucdReader"],
    ".avs": ["vtkAVSucdReader"],
    ".tec": ["vtkTecplotReader"],
    ".tp": ["vtkTecplotReader"],
    ".dat": ["vtkTecplotReader"],
    ".stl": ["vtkSTLReader"],
    ".ply": ["vtkPLYReader"],
    ".obj": ["vtkOBJReader"],
    ".mha": ["vtkMetaImageReader"],
    ".mhd": ["vtkMetaImageReader"],
    ".nii": ["vtkNIFTIImageReader"],
    ".hdr": ["vtkNIFTIImageReader"],
    ".tif": ["vtkTIFFReader"],
    ".tiff": ["vtkTIFFReader"],
    ".png": ["vtkPNGReader"],
    ".bmp": ["vtkBMPReader"],
    ".mnc": ["vtkMINCImageReader"],
    ".dem": ["vtkDEMReader"],
    ".slc": ["vtkSLCReader"],
    ".xdmf": ["vtkXdmf3Reader", "vtkXdmfReader"],
    ".xmf": ["vtkXdmf3Reader", "vtkXdmfReader"],
}


def fail(text, status=1):
    print(text, file=sys.stderr)
    sys.exit(status)


def make_reader(vtk, source):
    if os.path.isdir(source):
        reader = vtk.vtkDICOMImageReader()
        reader.SetDirectoryName(source)
        return reader
    ending = os.path.splitext(source)[1].lower()
    if ending == ".gz" and source.lower().endswith(".nii.gz"):
        ending = ".nii"
    for name in READERS.get(ending, []):
        if hasattr(vtk, name):
            reader = getattr(vtk, name)()
            if hasattr(reader, "SetCaseFileName"):
                reader.SetCaseFileName(source)
            else:
                reader.SetFileName(source)
            return reader
    fail("no reader of VTK is known for names that end in '%s'; known are %s" % (ending, " ".join(sorted(READERS))))


def take_all(reader):
    """Everything that is offered."""
    reader.UpdateInformation()
    for what in ("EnableAllCellArrays", "EnableAllPointArrays", "EnableAllPatchArrays", "EnableAllLagrangianArrays"):
        if hasattr(reader, what):
            getattr(reader, what)()
    for kind in ("Point", "Cell"):
        selection = getattr(reader, "Get%sDataArraySelection" % kind, None)
        if selection:
            try:
                selection().EnableAllArrays()
            except (TypeError, AttributeError):
                pass
    reader.UpdateInformation()


def write(vtk, data, folder, name):
    """The data as files that begin with `name`; returns the name of the one that stands for all."""
    kinds = {"vtkImageData": ("vti", "vtkXMLImageDataWriter"), "vtkStructuredPoints": ("vti", "vtkXMLImageDataWriter"),
             "vtkUniformGrid": ("vti", "vtkXMLImageDataWriter"), "vtkRectilinearGrid": ("vtr", "vtkXMLRectilinearGridWriter"),
             "vtkStructuredGrid": ("vts", "vtkXMLStructuredGridWriter"),
             "vtkUnstructuredGrid": ("vtu", "vtkXMLUnstructuredGridWriter"), "vtkPolyData": ("vtp", "vtkXMLPolyDataWriter"),
             "vtkMultiBlockDataSet": ("vtm", "vtkXMLMultiBlockDataWriter")}
    if data.IsA("vtkPartitionedDataSetCollection") or data.IsA("vtkPartitionedDataSet"):
        turned = vtk.vtkConvertToMultiBlockDataSet()
        turned.SetInputDataObject(data)
        turned.Update()
        data = turned.GetOutput()
    if data.IsA("vtkCompositeDataSet") and not data.IsA("vtkMultiBlockDataSet"):
        fail("VTK gives a %s, which is not written" % data.GetClassName())
    if data.IsA("vtkMultiBlockDataSet"):
        leaves = []
        walk = data.NewIterator()
        walk.InitTraversal()
        while not walk.IsDoneWithTraversal():
            if walk.GetCurrentDataObject().GetNumberOfPoints() > 0:
                leaves.append(walk.GetCurrentDataObject())
            walk.GoToNextItem()
        if not leaves:
            fail("VTK finds no points in it")
        if len(leaves) == 1:
            data = leaves[0]
    elif data.GetNumberOfPoints() == 0:
        fail("VTK finds no points in it")
    if data.GetClassName() not in kinds:
        fail("VTK gives a %s, which is not written" % data.GetClassName())
    ending, writer_name = kinds[data.GetClassName()]
    writer = getattr(vtk, writer_name)()
    writer.SetInputData(data)
    writer.SetFileName(os.path.join(folder, name + "." + ending))
    writer.SetDataModeToAppended()
    writer.EncodeAppendedDataOff()
    writer.SetCompressorTypeToNone()
    if not writer.Write():
        fail("it could not be written: is the folder for temporary files full?")
    return name + "." + ending


def main(source, folder):
    try:
        import vtk
    except ImportError as error:
        fail(str(error), 3)
    vtk.vtkLogger.SetStderrVerbosity(vtk.vtkLogger.VERBOSITY_ERROR)
    reader = make_reader(vtk, source)
    take_all(reader)
    information = reader.GetOutputInformation(0)
    steps = information.Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()) or ()
    if len(steps) < 2:
        reader.Update()
        print(write(vtk, reader.GetOutputDataObject(0), folder, "data"))
        return
    rows = []
    for number, time in enumerate(steps):
        reader.UpdateTimeStep(time)
        rows.append('<DataSet timestep="%r" part="0" file="%s"/>' % (time, write(vtk, reader.GetOutputDataObject(0), folder, "step_%05d" % number)))
    with open(os.path.join(folder, "series.pvd"), "w") as file:
        file.write('<VTKFile type="Collection" version="0.1">\n<Collection>\n%s\n</Collection>\n</VTKFile>\n' % "\n".join(rows))
    print("series.pvd")


if len(sys.argv) != 3:
    fail(__doc__)
main(sys.argv[1], sys.argv[2])
